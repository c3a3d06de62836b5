'use strict';

const Router = require('./router');

const notes = new Map([['1', 'buy tea'], ['2', 'call Ann']]);

function mustExist({ params }) {
  return notes.has(params.id) ? undefined : { status: 404, body: `no note ${params.id}` };
}

function listNotes(part = '') {
  return [...notes.values()].filter((text) => text.includes(part)).join(', ');
}

const api = new Router()
  .use(({ query }) => (query.key === 'secret' ? undefined : { status: 401 }))
  .get('/notes', ({ query }) => listNotes(query.find))
  .get('/notes/:id', mustExist, ({ params }) => notes.get(params.id))
  .delete('/notes/:id', mustExist, ({ params }) => void notes.delete(params.id))
  .post('/notes/:id/copy/:to', mustExist, ({ params: { id, to } }) => {
    notes.set(to, notes.get(id));
    return { status: 201 };
  });

const pages = new Router()
  .get('/', () => 'home')
  .get('/help', () => 'help')
  .get('/help/:topic/print', ({ params }) => `print ${params.topic}`)
  .any('/files/*', ({ method, params }) => `${method} file ${params.rest}`)
  .get('/help/*', ({ params }) => `help about ${params.rest}`)
  .mount('/api', api);

function summary({ status, body, allow }) {
  return [status, body, allow && `allow ${allow}`].filter(Boolean).join(' ');
}

const requests = `GET /
GET /help/tea/print
GET /help/tea/pots
PUT /files/a/b.txt
GET /files
GET /api/notes
GET /api/notes?key=secret&find=a
POST /api/notes/1/copy/9?key=secret
DELETE /api/notes/1?key=secret
GET //api/notes/1/?key=secret
PUT /api/notes/2?key=secret
GET /api/notes/9?key=secret`;

for (const line of requests.split('\n')) {
  const [method, url] = line.split(' ');
  console.log(`${line} -> ${summary(pages.handle(method, url))}`);
}
console.log([...pages.routes()].map(({ method, path }) => `${method} /${path}`).sort().at(-1));
