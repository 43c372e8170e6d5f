; Halve an egg. Shortest plan: 4 actions.
(define (problem halve-egg)
  (:domain household)
  (:objects
    carving_knife - blade
    hard_boiled_egg - edible
    countertop - surface
    floor - floor_area
    kitchen - room)
  (:init
    (handempty)
    (ontop carving_knife countertop)
    (ontop hard_boiled_egg countertop)
    (inroom carving_knife kitchen) (inroom hard_boiled_egg kitchen)
    (inroom countertop kitchen) (inroom floor kitchen))
  (:goal (halved hard_boiled_egg)))
