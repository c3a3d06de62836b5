'use strict';

class JobFailed extends Error {
  constructor(job, cause) {
    super(`${job} failed: ${cause.message}`, { cause });
  }
}

/** Runs at most `width` jobs at the same time, urgent ones first. */
class JobPool {
  #waiting = [];
  #running = 0;
  #sequence = 0;

  constructor(width, { retries = 0, trace = () => {} } = {}) {
    this.width = width;
    this.retries = retries;
    this.trace = trace;
  }

  /** @returns {Promise} settles as the job does, after its retries */
  add(name, work, { urgency = 0 } = {}) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ name, work, urgency, order: this.#sequence++, resolve, reject });
      this.#waiting.sort((a, b) => b.urgency - a.urgency || a.order - b.order);
      this.#fill();
    });
  }

  #fill() {
    while (this.#running < this.width && this.#waiting.length > 0) {
      const job = this.#waiting.shift();
      this.#running++;
      this.trace(`start ${job.name}`);
      this.#attempt(job, 1)
        .then(job.resolve, job.reject)
        .finally(() => {
          this.#running--;
          this.#fill();
        });
    }
  }

  async #attempt(job, round) {
    try {
      return await job.work(round);
    } catch (error) {
      if (round > this.retries) throw new JobFailed(job.name, error);
      this.trace(`retry ${job.name}`);
      return this.#attempt(job, round + 1);
    }
  }

  cancel(name) {
    const index = this.#waiting.findIndex((job) => job.name === name);
    if (index < 0) return false;
    const [job] = this.#waiting.splice(index, 1);
    job.reject(new JobFailed(name, new Error('cancelled')));
    return true;
  }

  get pending() {
    return this.#waiting.map((job) => job.name);
  }
}

/** A job that waits for some settled promises, one after the other, and gives `value` at the end. */
const work = (turns, value) => async () => {
  for (let i = 0; i < turns; i++) await null;
  return value;
};

const flaky = (failures, value) => (round) => {
  if (round <= failures) throw new Error(`no luck in round ${round}`);
  return value;
};

async function main() {
  const events = [];
  const pool = new JobPool(2, { retries: 2, trace: (event) => events.push(event) });
  const results = [
    pool.add('resize', work(12, 'resized')),
    pool.add('mail', work(2, 'sent')),
    pool.add('index', flaky(2, 'indexed')),
    pool.add('alarm', work(1, 'rung'), { urgency: 9 }),
    pool.add('upload', flaky(5, 'uploaded'), { urgency: -1 }),
    pool.add('report', work(1, 'printed'), { urgency: -2 }),
  ];
  console.log('pending', pool.pending.join(' '));
  console.log('cancel', pool.cancel('report'), pool.cancel('resize'));
  const settled = await Promise.allSettled(results);
  for (const { status, value, reason } of settled) {
    console.log(status === 'fulfilled' ? value : reason.message);
  }
  console.log(events.join(', '));
  const race = [pool.add('slow', work(9, 'tortoise')), pool.add('fast', work(1, 'hare'))];
  console.log('first:', await Promise.race(race));
}

main().catch((error) => {
  console.log('unexpected', error);
});
