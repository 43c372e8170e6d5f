; Store the firewood on the table. Shortest plan: 8 actions.
(define (problem store-firewood)
  (:domain household)
  (:objects
    brown_stick white_stick - item
    table - surface
    floor - floor_area
    cabin - room)
  (:init
    (handempty)
    (onfloor brown_stick floor)
    (onfloor white_stick floor)
    (inroom brown_stick cabin) (inroom white_stick cabin) (inroom table cabin) (inroom floor cabin))
  (:goal (and (ontop brown_stick table) (ontop white_stick table))))
