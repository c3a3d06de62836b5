"""The marks that models and servers put around what a model says, as data: one table for each kind.

A row of a table is a regular expression. Letters count whether large or small.
"""

from __future__ import annotations

import re

_NAMES = (
    "think|thinking|thought|thoughts|thought_process|reasoning|reason|reflection|scratchpad|analysis|rationale"
    "|seed:think|antthinking|inner_thoughts|inner_monologue|internal_monologue|chain_of_thought|cot"
)

#: What begins and what ends hidden reasoning.
REASONING: tuple[tuple[str, str], ...] = (
    (rf"<(?:{_NAMES})(?:\s[^<>\n]*+)?>", rf"</(?:{_NAMES})\s*>"),
    (r"\[(?:THINK|THINKING|REASONING)\]", r"\[/(?:THINK|THINKING|REASONING)\]"),
    (r"◁think▷", r"◁/think▷"),
    (
        r"<[|｜](?:start|begin)[_▁ ]?(?:of[_▁ ])?(?:think|thinking|thought|thoughts|reasoning)[|｜]>",
        r"<[|｜]end[_▁ ]?(?:of[_▁ ])?(?:think|thinking|thought|thoughts|reasoning)[|｜]>",
    ),
    (r"<[|｜](?:think|thinking|thought|reasoning)[|｜]>", r"<[|｜]/(?:think|thinking|thought|reasoning)[|｜]>"),
    (r"<unused94>(?:thought)?", r"<unused95>"),
    (r'<details\s[^<>\n]*?type="?reasoning[^<>\n]*+>', r"</details>"),
    (r"Thinking\.\.\.[ \t]*$", r"^\.\.\.done thinking\.?"),
    (r"Here(?: is|'s|’s) my thought process:", r"Here(?: is|'s|’s) my response:"),
)

#: What begins the answer. Everything before it is hidden reasoning.
ANSWERING: tuple[str, ...] = (
    r"\[BEGIN FINAL RESPONSE\]",
    r"<[|｜](?:start|begin)[_▁ ]?(?:of[_▁ ])?(?:response|solution|answer)[|｜]>",
)

#: What stands around an answer and says nothing.
AROUND: tuple[str, ...] = (
    *ANSWERING,
    r"\[END FINAL RESPONSE\]",
    r"<[|｜]end[_▁ ]?(?:of[_▁ ])?(?:response|solution|answer)[|｜]>",
    r"<[|｜](?:begin|end)_of_box[|｜]>",
)

#: What ends the turn of a speaker, or begins it: tokens of chat templates.
TURNS: tuple[str, ...] = (
    r"<[|｜][A-Za-z_/][^|｜<>\n]{0,40}+[|｜]>",
    r"</?s>",
    r"<(?:eos|bos|pad|unk|eot|eod|eom|end|end_of_turn|start_of_turn|end_of_utterance|end_of_text|endoftext)>",
    r"<(?:end_of_turn|start_of_turn|turn|/turn)(?:\|)?>",
    r"\[/?INST\]",
    r"\[(?:EOS|EOT|SEP|PAD)\]",
    r"\[[|](?:endofturn|assistant|user|system)[|]\]",
)


def compile_rows(rows: tuple[str, ...]) -> re.Pattern[str]:
    """Finds what any row of a table describes."""
    return re.compile("|".join(f"(?:{row})" for row in rows), re.IGNORECASE | re.MULTILINE)
