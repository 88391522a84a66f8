; Python, after the grammar's own query: constants, classes, decorators and brackets.

((identifier) @constant (#match? @constant "^_*[A-Z][A-Z0-9_]+$"))
(class_definition name: (identifier) @type)
(decorator) @attribute
(decorator (identifier) @attribute)
(decorator (call function: (identifier) @attribute))
(decorator (attribute attribute: (identifier) @attribute))
((identifier) @keyword (#match? @keyword "^(self|cls)$"))
[ "nonlocal" "global" "lambda" "and" "or" "not" "in" "is" ] @keyword
[ "(" ")" "[" "]" "{" "}" "," ":" "." ";" ] @punctuation
