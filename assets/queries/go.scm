; Go: names by what they are, then words and signs. Of two patterns for one node the later counts.

(identifier) @variable
(field_identifier) @property
(package_identifier) @module
(label_name) @label
(type_identifier) @type

((type_identifier) @type.builtin
  (#match? @type.builtin "^(any|bool|byte|comparable|complex(64|128)|error|float(32|64)|u?int(8|16|32|64)?|rune|string|uintptr)$"))

(const_spec name: (identifier) @constant)
(keyed_element . (literal_element (identifier) @property))

(function_declaration name: (identifier) @function)
(method_declaration name: (field_identifier) @function)
(method_elem name: (field_identifier) @function)
(call_expression function: (identifier) @function)
(call_expression function: (selector_expression field: (field_identifier) @function))

((call_expression function: (identifier) @type.builtin)
  (#match? @type.builtin "^(bool|byte|complex(64|128)|float(32|64)|u?int(8|16|32|64)?|rune|string|uintptr)$"))

[
  "break" "case" "chan" "const" "continue" "default" "defer" "else" "fallthrough" "for" "func" "go" "goto" "if"
  "import" "interface" "map" "package" "range" "return" "select" "struct" "switch" "type" "var"
] @keyword

[
  "+" "-" "*" "/" "%" "&" "|" "^" "<<" ">>" "&^" "+=" "-=" "*=" "/=" "%=" "&=" "|=" "^=" "<<=" ">>=" "&^="
  "&&" "||" "<-" "++" "--" "==" "<" ">" "=" "!" "~" "!=" "<=" ">=" ":=" "..."
] @operator

[ "(" ")" "[" "]" "{" "}" "," ";" "." ":" ] @punctuation

[ (interpreted_string_literal) (raw_string_literal) (rune_literal) ] @string
(escape_sequence) @escape
[ (int_literal) (float_literal) (imaginary_literal) ] @number
[ (true) (false) (nil) (iota) ] @constant
(comment) @comment
