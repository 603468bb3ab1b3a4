import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { Seeded } from '../../../../support/parallel/seeded.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import { pairs, race } from '../../../../support/subscriptions/walks/races.ts';
import { samples } from '../../../../support/thoroughness.ts';

leaveOutPdfs();

/** All pairs on demand: `RACES=all npx vitest run test/handlers/functions/subscriptions/engine/command-races.test.ts`. */
const seed = Number(process.env.RACES_SEED ?? randomInt(2 ** 31));
const drawn = new Seeded(seed).shuffled(pairs).slice(0, samples({ few: 5, many: 20 }));

test.each(process.env.RACES === 'all' ? pairs : drawn)(
  'twenty of %s beside twenty of %s leave books that balance, and no paid day is lost or given twice',
  async (a, b) => {
    const answers = await race(a, b);
    const failed = Object.keys(answers).filter((answer) => answer.endsWith(' 500'));
    expect(failed, JSON.stringify(answers)).toEqual([]);
  },
);
