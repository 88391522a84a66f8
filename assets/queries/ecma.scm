; JavaScript, TypeScript and TSX, after the grammars' own queries: where two of their patterns meet on one node.

((identifier) @constant (#match? @constant "^[A-Z][A-Z0-9_]+$"))
(class_declaration name: (_) @type)
(new_expression constructor: (identifier) @type)
(call_expression function: (identifier) @function)
[ (this) (super) ] @keyword
(decorator "@" @attribute)
(decorator (identifier) @attribute)
(decorator (call_expression function: (identifier) @attribute))
(template_substitution) @embedded
