const { compose, when } = require('./pipeline');
const { HttpError, catchErrors, trail, authenticate, throttle, cache, requireBody } = require('./layers');

const pages = {
  '/': () => 'welcome',
  '/time': () => 'tea time',
  '/broken': () => pages.nothing.here,
};

async function servePage(context) {
  const page = pages[context.path];
  if (!page) throw new HttpError(404, `no ${context.path}`);
  context.body = await page(context);
  context.status = 200;
}

const isPublic = ({ path }) => path === '/';
const isPost = ({ method }) => method === 'POST';

const app = compose([
  trail('app'),
  catchErrors,
  when(isPost, requireBody),
  when((context) => !isPublic(context), authenticate(new Map([['t1', 'ina'], ['t2', 'olaf']]))),
  when((context) => context.user, throttle(3)),
  cache(),
  trail('page'),
]);

function request(path, token, method = 'GET') {
  return { path, method, headers: { token }, status: 0, trail: [] };
}

async function main() {
  const requests = [
    request('/'),
    request('/time'),
    request('/time', 't1'),
    request('/time', 't2'),
    request('/moon', 't1'),
    request('/broken', 't1'),
    request('/', 't1'),
    request('/time', 't1'),
  ];
  for (const context of requests) {
    await app(context, servePage);
    const { path, status, body, user = '-', cached = false } = context;
    console.log(status, path, user, `"${body}"`, cached ? 'cached' : '', context.trail.join(''));
  }
  const twice = compose([(_, next) => next().then(next)]);
  await twice(request('/')).catch((error) => console.log(error.message));
  await compose([])(request('/'), ({ path }) => console.log('only', path));
}

main();
