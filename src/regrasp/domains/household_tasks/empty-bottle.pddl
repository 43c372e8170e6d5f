; Bring in the empty bottles. Shortest plan: 8 actions.
(define (problem empty-bottle)
  (:domain household)
  (:objects
    green_bottle orange_bottle - vessel
    tiled_floor wooden_floor - floor_area
    hall garden - room)
  (:init
    (handempty)
    (onfloor green_bottle wooden_floor)
    (onfloor orange_bottle wooden_floor)
    (inroom tiled_floor hall)
    (inroom wooden_floor garden) (inroom green_bottle garden) (inroom orange_bottle garden))
  (:goal (and (onfloor green_bottle tiled_floor) (onfloor orange_bottle tiled_floor))))
