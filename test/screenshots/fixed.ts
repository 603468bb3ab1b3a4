/**
 * Loaded with `--import` into the local stack of the screenshots: its clock stands at one time, and its random values are the
 * same in each run, so that ids, codes and links on the pictures are too. They protect nothing.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { installDate } from '../../lib/local/clock.ts';
import { fixedTime } from './fixed-time.ts';

// A millisecond for each second that passes: records keep their order.
const fixedMs = Date.parse(fixedTime);
installDate(() => Math.floor(fixedMs + performance.now() / 1_000));

/** Bytes of their own sequence, so that a call of one function does not shift those of another. */
function sequence(name: string): (count: number) => Buffer {
  let n = 0;
  return (count) => {
    const blocks: Buffer[] = [];
    while (Buffer.concat(blocks).length < count) {
      n += 1;
      blocks.push(crypto.createHash('sha256').update(`${name} ${n}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, count);
  };
}

const { randomBytes, randomInt } = crypto;
const bytes = sequence('bytes');
const numbers = sequence('numbers');

// With a callback they are left alone: nothing that is shown comes from there.
Object.assign(crypto, {
  randomBytes: (count: number, callback?: never) =>
    callback === undefined ? bytes(count) : randomBytes(count, callback),
  randomInt: (from: number, to?: number | (() => void), callback?: never) => {
    if (callback !== undefined || typeof to === 'function')
      return randomInt(from, to as number, callback as never);
    const low = to === undefined ? 0 : from;
    const high = to ?? from;
    return low + (numbers(6).readUIntBE(0, 6) % (high - low));
  },
});
syncBuiltinESMExports();
