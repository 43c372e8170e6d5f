"""Perception from pictures: scan the scene, answer questions, find causes of failures."""
