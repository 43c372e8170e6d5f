"""The models that come with Regrasp (scripted rules, vision, language), and models by name."""
