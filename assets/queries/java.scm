; Java, after the grammar's own query: fields, enums, signs.

(enum_constant name: (identifier) @constant)
(record_declaration name: (identifier) @type)
(annotation_type_declaration name: (identifier) @type)
(field_access field: (identifier) @property)
(marker_annotation) @attribute
(annotation name: (identifier) @attribute)
[ (this) (super) ] @keyword
[
  "+" "-" "*" "/" "%" "&" "|" "^" "!" "~" "=" "==" "!=" "<" ">" "<=" ">=" "&&" "||" "++" "--" "+=" "-=" "*=" "/="
  "->" "?" "::"
] @operator
[ "(" ")" "[" "]" "{" "}" "," ";" "." ":" ] @punctuation
