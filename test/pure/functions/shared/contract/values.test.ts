import { defined } from '../../../../../functions/shared/contract/defined.ts';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import {
  dueShard,
  expirySeconds,
  partition,
  timeToLive,
} from '../../../../../functions/shared/contract/keys.ts';
import { isObject, mergePatch } from '../../../../../functions/shared/contract/merge-patch.ts';
import {
  formatSecret,
  isUnexpired,
  isWellFormedSecret,
  secretHash,
  secretHint,
} from '../../../../../functions/shared/contract/secret.ts';

test('a merge patch reads nothing that a prototype has, and sets none', () => {
  expect(mergePatch({}, { toString: { a: 1 } })).toEqual({ toString: { a: 1 } });
  expect(mergePatch({ a: 1 }, JSON.parse('{"__proto__": {"b": 1}}'))).not.toHaveProperty('b');
  expect([{}, [], null, 'a', undefined].map(isObject)).toEqual([true, false, false, false, false]);
});

describe('a secret', () => {
  const random = 'AAECAwQFBgcICQoLDA0ODw';
  const kinds = {
    client_secret: 'vcs_',
    api_key: 'vak_',
    access_token: 'vat_',
    refresh_token: 'vrt_',
    authorization_code: 'vac_',
    operator_key: 'vok_',
    device_token: 'vdt_',
    share_receipt: 'vsr_',
    enrolment_token: 'vet_',
  } as const;

  test.each(Object.entries(kinds) as [keyof typeof kinds, string][])(
    'of the kind %s begins with %s',
    (kind, prefix) => {
      expect(formatSecret(kind, random)).toBe(prefix + random);
      const accepted = Object.values(kinds).filter((other) => isWellFormedSecret(kind, other + random));
      expect(accepted).toEqual([prefix]);
    },
  );

  test.each([
    ['', false],
    ['vcs_', false],
    [`vcs_${random.slice(1)}`, false],
    [`vcs_${'-_'.repeat(32)}`, true],
    [`vcs_${'a'.repeat(65)}`, false],
    [`vcs_${random}=`, false],
    [`vcs_${random}\n`, false],
    [` vcs_${random}`, false],
    [`VCS_${random}`, false],
  ])('%j has the form of one: %s', (text, expected) => {
    expect(isWellFormedSecret('client_secret', text)).toBe(expected);
  });

  test('is stored as its SHA-256, shown by eight characters, and valid until its end', () => {
    expect(secretHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(secretHint(`vcs_${random}`)).toBe('vcs_AAEC…');
    expect([
      isUnexpired({}, 1e15),
      isUnexpired({ expiresAtMs: 5 }, 4),
      isUnexpired({ expiresAtMs: 5 }, 5),
    ]).toEqual([...[true, true, false]]);
  });
});

describe('keys', () => {
  test('of numbered records sort by their number', () => {
    const numbered: ((n: number) => string)[] = [
      (n) => keys.audit({ userId: 'u' }, n).sk,
      (n) => keys.invoice('s', n).sk,
      (n) => keys.creditNote('s', n).sk,
      (n) => keys.bankStatementPart('a', 's', n).sk,
      (n) => keys.bankStatementResults('a', 's', n).sk,
      (n) => keys.timelineEntry('s', n).sk,
      (n) => keys.history('l', n).sk,
      (n) => keys.eventList('a', n).sk,
    ];
    for (const key of numbered) {
      const sorted = [1, 2, 9, 10, 99, 100, 12_345].map(key);
      expect(sorted.toSorted()).toEqual(sorted);
    }
  });

  test('of audit records, codes and reports tell their cases apart', () => {
    expect(keys.audit({ userId: 'x' }, 1).pk).toBe('AUDIT#x');
    expect(keys.audit({ id: 'x' }, 1).pk).toBe('AUDIT#ID#x');
    expect([keys.code('p', 'e').sk, keys.code('p', 'e', 'h').sk]).toEqual(['CODE', 'CODE#h']);
    expect(keys.revenueReport('a', 1, undefined).sk).toBe('REVENUE#1#now');
    expect(keys.revenueReport('a', 1, 2).sk).toBe('REVENUE#1#2');
    expect(keys.taxReport('a', 1, undefined).sk).toBe('TAX#1#now');
    expect(keys.taxReport('a', 1, 2).sk).toBe('TAX#1#2');
    expect(keys.receivablesReport('a', undefined).sk).toBe('RECEIVABLES#now');
    expect(keys.receivablesReport('a', 1).sk).toBe('RECEIVABLES#1');
    expect([keys.trusted('u', 'd\ud800').sk, keys.quarantined('u', 'd').sk]).toEqual([
      'TRUSTED#d\ufffd',
      'QUARANTINED#d',
    ]);
    expect(partition('RATE')).toBe('RATE');
  });

  test('spread due work by the last character of an id', () => {
    expect(['a0', 'a1', 'a4', 'a5', ''].map(dueShard)).toEqual([0, 1, 0, 1, 0]);
  });
});

test('an item expires at its second, rounded up, so that it is never removed early', () => {
  expect([0, 1, 999, 1_000, 1_001].map(expirySeconds)).toEqual([0, 1, 1, 1, 2]);
  expect(timeToLive(1_001)).toEqual({ ttl: 2 });
});

test('fields that are undefined are left out, and others are kept', () => {
  expect(defined({ a: undefined, b: null, c: 0, d: '' })).toStrictEqual({ b: null, c: 0, d: '' });
});
