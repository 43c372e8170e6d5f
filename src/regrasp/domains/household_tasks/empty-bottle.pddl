; Bring in the empty bottles. Shortest plan: 8 actions.
(define (problem empty-bottle)
  (:domain household)
  (:objects
    bottle_1 bottle_2 - vessel
    floor_1 floor_2 - floor_area
    hall garden - room)
  (:init
    (handempty)
    (onfloor bottle_1 floor_2)
    (onfloor bottle_2 floor_2)
    (inroom floor_1 hall)
    (inroom floor_2 garden) (inroom bottle_1 garden) (inroom bottle_2 garden))
  (:goal (and (onfloor bottle_1 floor_1) (onfloor bottle_2 floor_1))))
