"""One file per question we ask a model: typed inputs, the text, the grammar, the parser.

`table.PROMPTS` lists all of them. A caller builds a prompt, asks it, and looks at the type of
what comes back:

    exchange = ask(model, PlanPrompt("find the green apple", scene))
    match exchange.result:
        case Plan(thought, steps): ...
        case Declined(why): ...
        case ParseError() as error: ...
"""
