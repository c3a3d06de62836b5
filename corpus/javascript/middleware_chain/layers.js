class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const catchErrors = async (context, next) => {
  try {
    await next();
  } catch (error) {
    const expected = error instanceof HttpError;
    context.status = expected ? error.status : 500;
    context.body = expected ? error.message : 'internal error';
  }
};

/** Notes the way through the layers, inwards and outwards. */
function trail(name) {
  return async (context, next) => {
    context.trail.push(`>${name}`);
    await next();
    context.trail.push(`<${name}`);
  };
}

function authenticate(tokens) {
  return (context, next) => {
    const user = tokens.get(context.headers.token);
    if (!user) throw new HttpError(401, 'who are you?');
    context.user = user;
    return next();
  };
}

/** Refuses a user after too many requests; counts go on between requests. */
function throttle(limit) {
  const used = new Map();
  return async ({ user }, next) => {
    const count = (used.get(user) ?? 0) + 1;
    used.set(user, count);
    if (count > limit) throw new HttpError(429, `${user} asked ${count} times`);
    await next();
  };
}

function cache() {
  const bodies = new Map();
  return async (context, next) => {
    if (context.headers.fresh) bodies.delete(context.path);
    if (bodies.has(context.path)) {
      Object.assign(context, { status: 200, body: bodies.get(context.path), cached: true });
      return;
    }
    await next();
    if (context.status === 200) bodies.set(context.path, context.body);
  };
}

async function requireBody(context, next) {
  if (context.body === undefined) throw new HttpError(400, 'body missing');
  return next();
}

module.exports = { HttpError, catchErrors, trail, authenticate, throttle, cache, requireBody };
