'use strict';

const PARAMETER = Symbol('parameter');
const REST = Symbol('rest');

const split = (path) => path.split('/').filter((part) => part !== '');

/**
 * A tree of path parts. Fixed parts are preferred to parameters (":id"), and parameters to a
 * wildcard ("*"), which takes all the rest.
 */
class Router {
  #root = { children: new Map(), handlers: {} };
  #before = [];

  route(method, path, ...handlers) {
    if (handlers.length === 0) throw new TypeError(`no handler for ${method} ${path}`);
    let node = this.#root;
    for (const part of split(path)) {
      const key = part === '*' ? REST : part.startsWith(':') ? PARAMETER : part;
      if (!node.children.has(key)) node.children.set(key, { children: new Map(), handlers: {} });
      node = node.children.get(key);
      if (key === PARAMETER) node.name = part.slice(1);
    }
    node.handlers[method] = handlers;
    return this;
  }

  use(guard) {
    if (typeof guard !== 'function') throw new TypeError('a guard must be a function');
    this.#before.push(guard);
    return this;
  }

  /** Hangs all routes of another router below a path. */
  mount(prefix, router) {
    for (const { method, path, handlers } of router.routes()) {
      this.route(method, `${prefix}/${path}`, ...router.#before, ...handlers);
    }
    return this;
  }

  *routes(node = this.#root, parts = []) {
    for (const [method, handlers] of Object.entries(node.handlers)) {
      yield { method, path: parts.join('/'), handlers };
    }
    for (const [key, child] of node.children) {
      const part = key === REST ? '*' : key === PARAMETER ? `:${child.name}` : key;
      yield* this.routes(child, [...parts, part]);
    }
  }

  #find(node, parts, params) {
    if (parts.length === 0) return Object.keys(node.handlers).length > 0 ? { node, params } : null;
    const [part, ...rest] = parts;
    const fixed = node.children.get(part);
    const parameter = node.children.get(PARAMETER);
    const wildcard = node.children.get(REST);
    return (
      (fixed && this.#find(fixed, rest, params)) ||
      (parameter && this.#find(parameter, rest, { ...params, [parameter.name]: part })) ||
      (wildcard ? { node: wildcard, params: { ...params, rest: parts.join('/') } } : null)
    );
  }

  handle(method, url) {
    const [path, search = ''] = url.split('?');
    const query = Object.fromEntries(new URLSearchParams(search));
    const found = this.#find(this.#root, split(path), {});
    if (!found) return { status: 404 };
    const { node, params } = found;
    const handlers = node.handlers[method] ?? node.handlers.ANY;
    if (!handlers) return { status: 405, allow: Object.keys(node.handlers).sort().join() };
    const request = { method, path, params, query };
    for (const handler of [...this.#before, ...handlers]) {
      const answer = handler(request);
      if (answer !== undefined) return typeof answer === 'object' ? answer : { status: 200, body: answer };
    }
    return { status: 204 };
  }
}

for (const method of ['GET', 'POST', 'DELETE', 'ANY']) {
  Router.prototype[method.toLowerCase()] = function (path, ...handlers) {
    return this.route(method, path, ...handlers);
  };
}

module.exports = Router;
