Version 1
graph [
  directed 1
  node [ id 0 label "A&#228;" ]
  node [ id 1 ]
  edge [ source 0 target 1 x [ y 1 ] ]
]
