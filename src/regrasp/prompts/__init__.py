"""One file per question to a model: typed inputs, the text, the grammar, the parser.

docs/prompts shows each with an example. A caller builds a prompt, asks it, and matches the type of
the result:

    exchange = ask(model, PlanPrompt("find the green apple", scene))
    match exchange.result:
        case Plan(thought, steps): ...
        case Declined(why): ...
        case ParseError() as error: ...
"""
