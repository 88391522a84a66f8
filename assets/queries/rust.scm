; Rust, after the grammar's own query: numbers, constants, macros and lifetimes.

[ (integer_literal) (float_literal) ] @number
((identifier) @constant (#match? @constant "^[A-Z][A-Z0-9_]+$"))
[ (self) ] @keyword
(attribute_item) @attribute
(inner_attribute_item) @attribute
[ "+" "-" "/" "%" "=" "==" "!=" "<=" ">=" "&&" "||" "!" "+=" "-=" "*=" "/=" "|" "^" "->" "=>" ".." "..=" "?" ] @operator
(field_identifier) @property
(call_expression function: (field_expression field: (field_identifier) @function))
(generic_function function: (field_expression field: (field_identifier) @function))
(shorthand_field_identifier) @property
