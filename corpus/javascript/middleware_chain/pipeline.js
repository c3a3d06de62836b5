/** Composes middleware: functions (context, next) that may await what comes after them. */
function compose(middleware) {
  const wrong = middleware.findIndex((layer) => typeof layer !== 'function');
  if (wrong >= 0) throw new TypeError(`layer ${wrong} is no function`);
  return function run(context, last = async () => {}) {
    let reached = -1;
    const dispatch = async (index) => {
      if (index <= reached) throw new Error('next() called twice');
      reached = index;
      const layer = middleware[index] ?? last;
      await layer(context, () => dispatch(index + 1));
    };
    return dispatch(0).then(() => context);
  };
}

/** Applies a middleware only where a test of the context holds. */
const when = (test, middleware) => (context, next) => (test(context) ? middleware(context, next) : next());

module.exports = { compose, when };
