"""Language and vision models behind two small seams; what they answer is data to be checked."""
