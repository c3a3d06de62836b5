// What was asked and what was replied, step by step.

// The text that a model read last: the question itself.
const readQuestion = (texts) => {
  const step = texts.steps[texts.steps.length - 1];
  if (!step || !step.messages.length) return null;
  return step.messages[step.messages.length - 1].content;
};

const buildMessages = (messages) =>
  messages.flatMap(({ role, content }) => [build("h5", {}, role), buildText(content, `message of ${role}`)]);

const buildQuestion = (step, title) => {
  const earlier = step.messages.slice(0, -1),
    question = step.messages[step.messages.length - 1];
  return [
    earlier.length
      ? buildFold(`${title}: ${pluralise(earlier.length, "earlier message")}`, false, ...buildMessages(earlier))
      : null,
    question ? buildFold(title, true, buildText(question.content, title)) : null,
  ];
};

const buildReply = (step) => [
  step.prefill ? buildFold("The reply was begun with", true, buildText(step.prefill, "beginning of the reply")) : null,
  step.reasoning ? buildFold("Reasoning", true, ...buildReplyText(step.reasoning, "reasoning")) : null,
  step.response === null
    ? null
    : buildFold(
        "Reply",
        true,
        ...(step.response
          ? buildReplyText(step.response, "reply", step.prefill || "")
          : [build("p", { class: "none" }, "empty")]),
        step.finish && step.finish !== "stop"
          ? build("p", { class: "under" }, `The reply ended because of: ${step.finish}.`)
          : null,
      ),
];

// Several steps stand in their order. The reply to a single question stands before it, beside what was read out of it.
const buildConversation = (texts) => {
  const many = texts.steps.length,
    hasReply = texts.steps.some((step) => step.response !== null);
  const alone =
    hasReply || texts.response === null ? [] : [buildFold("Reply", true, ...buildReplyText(texts.response, "reply"))];
  const steps = texts.steps.flatMap((step, place) =>
    many > 1
      ? [...buildQuestion(step, `Question, step ${place + 1} of ${many}`), ...buildReply(step)]
      : [...buildReply(step), ...alone, ...buildQuestion(step, "Question")],
  );
  return [...steps, ...(many === 1 ? [] : alone)].filter(Boolean);
};
