'use strict';

// Policies are functions (user, resource) => boolean; bigger ones are built from smaller ones.

const allOf = (...policies) => (user, resource) => policies.every((policy) => policy(user, resource));
const anyOf = (...policies) => (user, resource) => policies.some((policy) => policy(user, resource));
const not = (policy) => (user, resource) => !policy(user, resource);
const always = () => true;

const isOwner = (user, resource) => resource.owner === user.name;
const inTeam = (user, resource) => user.teams.includes(resource.team);
const hasState = (...states) => (_, resource) => states.includes(resource.state);
const sizeBelow = (limit) => (_, resource) => (resource.size ?? 0) < limit;

/** A role may do what it is granted, and all that the roles in `inherits` may do. */
const ROLES = {
  guest: { inherits: [], grants: { 'doc:read': hasState('public') } },
  member: {
    inherits: ['guest'],
    grants: {
      'doc:read': inTeam,
      'doc:edit': allOf(isOwner, not(hasState('locked'))),
      'file:add': sizeBelow(10),
    },
  },
  editor: {
    inherits: ['member'],
    grants: { 'doc:*': allOf(inTeam, not(hasState('locked'))), 'file:*': anyOf(inTeam, isOwner) },
  },
  auditor: { inherits: ['guest'], grants: { '*:read': always, 'log:*': always } },
  chief: { inherits: ['editor', 'auditor'], grants: { 'doc:unlock': hasState('locked') } },
};

function lineage(role, seen = new Set()) {
  if (seen.has(role)) return seen;
  const definition = ROLES[role];
  if (definition === undefined) throw new ReferenceError(`no role ${role}`);
  seen.add(role);
  definition.inherits.forEach((parent) => lineage(parent, seen));
  return seen;
}

function covers(pattern, permission) {
  const [kind, action] = pattern.split(':');
  const [wantedKind, wantedAction] = permission.split(':');
  const fits = (part, wanted) => part === '*' || part === wanted;
  return fits(kind, wantedKind) && fits(action, wantedAction);
}

function grantsFor(role, permission) {
  return [...lineage(role)].flatMap((name) =>
    Object.entries(ROLES[name].grants)
      .filter(([pattern]) => covers(pattern, permission))
      .map(([pattern, policy]) => ({ role: name, pattern, policy })),
  );
}

/** Tells whether and why; a ban beats every grant. */
const decide = (user) => {
  const bans = user.bans ?? [];
  return (permission) => (resource) => {
    for (const ban of bans) {
      if (covers(ban, permission)) return { allowed: false, reason: `banned by ${ban}` };
    }
    const grant = grantsFor(user.role, permission).find(({ policy }) => policy(user, resource));
    return grant
      ? { allowed: true, reason: `${grant.role} ${grant.pattern}` }
      : { allowed: false, reason: 'no grant' };
  };
};

/** Wraps an action so that it refuses those who may not do it. */
function guarded(permission, action) {
  return (user, resource, ...rest) => {
    const { allowed, reason } = decide(user)(permission)(resource);
    if (!allowed) throw new Error(`${user.name} may not ${permission}: ${reason}`);
    return action(resource, ...rest);
  };
}

const rename = guarded('doc:edit', (resource, title) => ({ ...resource, title }));
const remove = guarded('doc:remove', (resource) => ({ ...resource, state: 'removed' }));

const users = {
  gus: { name: 'gus', role: 'guest', teams: [] },
  mia: { name: 'mia', role: 'member', teams: ['red'] },
  edd: { name: 'edd', role: 'editor', teams: ['red'], bans: ['*:remove'] },
  cho: { name: 'cho', role: 'chief', teams: ['blue'] },
};
const plan = { owner: 'mia', team: 'red', state: 'draft', title: 'Plan' };
const rules = { owner: 'cho', team: 'blue', state: 'locked', title: 'Rules' };

const matrix = Object.values(users).map((user) => {
  const may = decide(user);
  const marks = ['doc:read', 'doc:edit', 'doc:unlock'].flatMap((permission) =>
    [plan, rules].map((resource) => (may(permission)(resource).allowed ? 'x' : '.')),
  );
  return `${user.name} ${marks.join('')}`;
});
console.log(matrix.join('\n'));
const addFile = decide(users.mia)('file:add');
console.log(decide(users.cho)('log:read')({}).reason, '/', addFile({ size: 10 }).reason);

const attempts = [
  () => rename(users.mia, plan, 'Big plan').title,
  () => rename(users.cho, rules, 'No rules').title,
  () => remove(users.edd, plan).state,
];
for (const attempt of attempts) {
  try {
    console.log(attempt());
  } catch ({ message }) {
    console.log(message);
  }
}
