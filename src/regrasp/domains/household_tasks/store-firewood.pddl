; Store the firewood on the table. Shortest plan: 8 actions.
(define (problem store-firewood)
  (:domain household)
  (:objects
    stick_1 stick_2 - item
    table - surface
    floor - floor_area
    cabin - room)
  (:init
    (handempty)
    (onfloor stick_1 floor)
    (onfloor stick_2 floor)
    (inroom stick_1 cabin) (inroom stick_2 cabin) (inroom table cabin) (inroom floor cabin))
  (:goal (and (ontop stick_1 table) (ontop stick_2 table))))
