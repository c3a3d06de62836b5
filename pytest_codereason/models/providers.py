"""Well-known endpoints that speak OpenAI's chat protocol: ``groq:NAME`` is ``openai:NAME`` at Groq's address.

To add an endpoint, add a line to :data:`PRESETS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: How a request asks the server to continue a reply that the request begins:
#: ``continue`` by the fields ``continue_final_message`` and ``add_generation_prompt`` (vLLM, SGLang),
#: ``prefix`` by ``"prefix": true`` in the last message, ``assistant`` by a last assistant message alone.
#: ``never`` says that the server cannot; ``auto`` finds out from the server's list of models.
Prefill = Literal["auto", "continue", "prefix", "assistant", "never"]


@dataclass(frozen=True, slots=True)
class Preset:
    """What is known of an endpoint before the first request."""

    name: str  #: the word before the colon of a spec
    base_url: str
    key_env: str | None = None  #: the environment variable that holds the key, ``None`` if no key is needed
    prefill: Prefill = "never"
    tokens_field: str = "max_tokens"
    lists_all: bool = False  #: whether the endpoint's list of models is complete
    batch: str = ""  #: the form of its batches, a file of ``models/openai/forms/``; empty if it has none


_ALL = (
    Preset(
        "openai", "https://api.openai.com/v1", "OPENAI_API_KEY", tokens_field="max_completion_tokens", batch="openai"
    ),
    Preset("anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", "assistant", batch="anthropic"),
    Preset("cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY", batch="openai"),
    # DeepSeek continues a message under its beta address only.
    Preset("deepseek", "https://api.deepseek.com/beta", "DEEPSEEK_API_KEY", "prefix"),
    Preset("fireworks", "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
    Preset("gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY", batch="gemini"),
    Preset("google", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY", batch="gemini"),
    Preset("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", "assistant", batch="openai"),
    Preset("huggingface", "https://router.huggingface.co/v1", "HF_TOKEN"),
    Preset("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", "prefix", batch="mistral"),
    Preset("moonshot", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY", batch="openai"),
    Preset("nvidia", "https://integrate.api.nvidia.com/v1", "NVIDIA_API_KEY"),
    # OpenRouter passes requests on. Some of the servers behind it continue a reply, some do not.
    Preset("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", batch="openrouter"),
    Preset("together", "https://api.together.xyz/v1", "TOGETHER_API_KEY", batch="together"),
    Preset("xai", "https://api.x.ai/v1", "XAI_API_KEY"),
    Preset("llamacpp", "http://localhost:8080/v1", prefill="assistant"),
    Preset("lmstudio", "http://localhost:1234/v1"),
    Preset("ollama", "http://localhost:11434/v1", prefill="assistant", lists_all=True),
    Preset("sglang", "http://localhost:30000/v1", prefill="continue"),
    Preset("vllm-server", "http://localhost:8000/v1", prefill="continue", lists_all=True),
)

#: Every preset by the word that stands before the colon.
PRESETS = {preset.name: preset for preset in _ALL}

#: The presets of servers that name themselves in their list of models (``owned_by``).
ENGINES = {
    "vllm": PRESETS["vllm-server"],
    "sglang": PRESETS["sglang"],
    "llamacpp": PRESETS["llamacpp"],
}


def find_preset(prefix: str) -> Preset | None:
    """The preset of that name, ``None`` if there is none."""
    return PRESETS.get(prefix)
