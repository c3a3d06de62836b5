"""Well-known places that speak OpenAI's chat protocol: ``groq:NAME`` is ``openai:NAME`` at their address.

One more is one more line in :data:`PRESETS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: How a server is asked to continue a reply that has been begun for it:
#: ``continue`` by the fields ``continue_final_message`` and ``add_generation_prompt`` (vLLM, SGLang),
#: ``prefix`` by ``"prefix": true`` in the last message, ``assistant`` by a last assistant message alone,
#: ``never`` where it cannot, ``auto`` where that is to be found out from its list of models.
Prefill = Literal["auto", "continue", "prefix", "assistant", "never"]


@dataclass(frozen=True, slots=True)
class Preset:
    """What is known of one endpoint before it is reached."""

    name: str  #: what stands before the colon of a spec
    base_url: str
    key_env: str | None = None  #: the environment variable that holds the key, ``None`` where none is needed
    prefill: Prefill = "never"
    tokens_field: str = "max_tokens"
    lists_all: bool = False  #: whether a model missing from its list is missing indeed


_ALL = (
    Preset("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", tokens_field="max_completion_tokens"),
    Preset("anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", "assistant"),
    Preset("cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
    # DeepSeek continues a message under its beta address only.
    Preset("deepseek", "https://api.deepseek.com/beta", "DEEPSEEK_API_KEY", "prefix"),
    Preset("fireworks", "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
    Preset("gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    Preset("google", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    Preset("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", "assistant"),
    Preset("huggingface", "https://router.huggingface.co/v1", "HF_TOKEN"),
    Preset("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", "prefix"),
    Preset("moonshot", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY"),
    Preset("nvidia", "https://integrate.api.nvidia.com/v1", "NVIDIA_API_KEY"),
    # Whether a reply is continued depends on who serves the model behind it.
    Preset("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    Preset("together", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    Preset("xai", "https://api.x.ai/v1", "XAI_API_KEY"),
    Preset("llamacpp", "http://localhost:8080/v1", prefill="assistant"),
    Preset("lmstudio", "http://localhost:1234/v1"),
    Preset("ollama", "http://localhost:11434/v1", prefill="assistant", lists_all=True),
    Preset("sglang", "http://localhost:30000/v1", prefill="continue"),
    Preset("vllm-server", "http://localhost:8000/v1", prefill="continue", lists_all=True),
)

#: Every preset by the word that stands before the colon.
PRESETS = {preset.name: preset for preset in _ALL}

#: What a server that names itself in its list of models (``owned_by``) is known to do.
ENGINES = {
    "vllm": PRESETS["vllm-server"],
    "sglang": PRESETS["sglang"],
    "llamacpp": PRESETS["llamacpp"],
}


def preset(prefix: str) -> Preset | None:
    """The preset of that name, ``None`` where there is none."""
    return PRESETS.get(prefix)
