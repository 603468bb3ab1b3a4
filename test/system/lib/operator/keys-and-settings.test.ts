/** The verbs that are more than one request: a key that is replaced, settings that are merged. */
import { createServer } from 'node:http';
import { Writable } from 'node:stream';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { listen } from '../../../../lib/local/listen.ts';
import { extras } from '../../../../lib/operator/extras.ts';
import { operate } from '../../../../lib/operator/operate.ts';
import { described } from '../../../../lib/operator/operations.ts';
import { outputTo } from '../../../../lib/operator/output.ts';
import { settingsOf } from '../../../../lib/operator/verbs/application-settings.ts';
import { localOperator, operateHere } from './program.ts';

let operator: Awaited<ReturnType<typeof localOperator>>;
let applicationId: string;

beforeAll(async () => {
  operator = await localOperator();
  const { application } = await operator.json(['application', 'create', '--name', 'Keys']);
  applicationId = application._id;
});

/** A stream that no text can be written to. */
const fullStream = (code: string) =>
  new Writable({ write: (_chunk, _encoding, written) => written(Object.assign(new Error(code), { code })) });

async function keys(): Promise<{ keyId: string; kind: string; createdAt: string; expiresAt?: string }[]> {
  const { application } = await operator.json(['application', 'show', applicationId]);
  return application.keys;
}
const apiKeys = async () => (await keys()).filter(({ kind }) => kind === 'api_key');
async function onlyApiKey(): Promise<string> {
  const [key, ...others] = await apiKeys();
  expect(others).toEqual([]);
  return key?.keyId ?? '';
}

test('a rotated key has the kind and the lifetime of the former one, which is revoked', async () => {
  const first = await onlyApiKey();
  const lasting = ['key', 'create', applicationId, '--kind', 'api_key', '--expires-in-days', '30'];
  const { keyId: former } = await operator.json(lasting);
  await operator.json(['key', 'revoke', applicationId, first, '--yes']);
  const created = await operator.json(['key', 'rotate', applicationId, former, '--yes']);
  expect(created).toEqual({ keyId: expect.stringMatching(/^key_/), secret: expect.stringMatching(/^vak_/) });
  const [left, ...others] = await apiKeys();
  expect([left?.keyId, others]).toEqual([created.keyId, []]);
  const days = (Date.parse(left?.expiresAt ?? '') - Date.parse(left?.createdAt ?? '')) / dayMs;
  expect(days).toBe(30);
});

test('the new key is shown before the question, and a refusal keeps both and says how to go on', async () => {
  const former = await onlyApiKey();
  const rotated = await operator.run(['key', 'rotate', applicationId, former], 'n');
  expect(rotated.code).toBe(1);
  expect(rotated.out).toMatch(/Secret +vak_/);
  expect(rotated.err).toBe(
    `Both keys are valid. Revoke the former one with: key revoke ${applicationId} ${former}\n`,
  );
  expect(await apiKeys()).toHaveLength(2);
  // A third key of the kind is refused, and nothing is revoked.
  expect((await operator.run(['key', 'rotate', applicationId, former, '--yes'])).code).toBe(5);
  expect(await apiKeys()).toHaveLength(2);
  await operator.json(['key', 'revoke', applicationId, former, '--yes']);
});

test('the records of a rotation and of merged settings have the reason of the operator', async () => {
  const { application } = await operator.json(['application', 'create', '--name', 'Reasons']);
  const { _id: id } = application;
  const [former] = application.keys;
  const reason = 'Für März, 50 %.';
  await operator.run(['application', 'settings', id, 'public=true', '--yes', '--reason', reason]);
  await operator.json(['key', 'rotate', id, former.keyId, '--yes', '--reason', reason]);
  const { actions } = await operator.json(['action', 'list', '--object', id]);
  const reasons = new Map(
    actions.map((one: { action: string; reason?: string }) => [one.action, one.reason]),
  );
  for (const action of ['application.changed', 'application.key_created', 'application.key_revoked'])
    expect([action, reasons.get(action)]).toEqual([action, reason]);
});

test('without a terminal, or for an unknown key, a rotation creates nothing', async () => {
  const former = await onlyApiKey();
  expect((await operator.run(['key', 'rotate', applicationId, former])).code).toBe(2);
  expect((await operator.run(['key', 'rotate', applicationId, 'key_none', '--yes'])).code).toBe(3);
  expect(await apiKeys()).toHaveLength(1);
});

test('a rotation whose output fails revokes nothing, and says which key nobody has', async () => {
  const former = await onlyApiKey();
  for (const reason of ['EPIPE', 'ENOSPC']) {
    let said = '';
    const code = await operate(['key', 'rotate', applicationId, former, '--yes'], {
      env: operator.env,
      out: outputTo(fullStream(reason)),
      say: (text) => {
        said += text;
      },
      ask: undefined,
    });
    const unseen = (await apiKeys()).find(({ keyId }) => keyId !== former)?.keyId;
    expect(code).toBe(1);
    expect(said).toMatch(new RegExp(`Revoke the new one.*: key revoke ${applicationId} ${unseen}\n$`));
    await operator.json(['key', 'revoke', applicationId, String(unseen), '--yes']);
    expect(await onlyApiKey()).toBe(former);
  }
});

test.each([
  [['application', 'create', '--name', 'Unseen'], /key create app_\w+ --kind api_key$/],
  [['key', 'create', '<application>', '--kind', 'client_secret'], /key revoke app_\w+ key_\w+ --yes$/],
  [['operator-key', 'create', '--name', 'Ann', '--scope', 'review'], /operator-key revoke key_\w+ --yes$/],
  [
    ['webhook', 'create', '<application>', '--endpoint', 'https://hooks.example/a', '--type', 'link.*'],
    /webhook rotate app_\w+ whk_\w+$/,
  ],
  [['webhook', 'rotate', '<application>', '<webhook>'], /webhook rotate app_\w+ whk_\w+$/],
])(
  '%j whose output fails says that nobody has seen the secret, and which command makes up for it',
  async (args, expected) => {
    const { application } = await operator.json(['application', 'create', '--name', 'Secrets']);
    const hook = ['--endpoint', 'https://hooks.example/b', '--type', 'subscription.*'];
    const { webhook } = await operator.json(['webhook', 'create', application._id, ...hook]);
    const ids: Record<string, string> = { '<application>': application._id, '<webhook>': webhook._id };
    const command = args.map((one) => ids[one] ?? one);
    for (const reason of ['EPIPE', 'ENOSPC']) {
      let said = '';
      const code = await operate(command, {
        env: operator.env,
        out: outputTo(fullStream(reason)),
        say: (text) => {
          said += text;
        },
        ask: undefined,
      });
      const [, next = ''] = /\nNobody has seen the secret\. Use: (.+)\n$/.exec(said) ?? [];
      const whole = next.replace('<kind>', 'api_key').concat(next.includes(' revoke ') ? ' --yes' : '');
      expect([code, whole]).toEqual([1, expect.stringMatching(expected)]);
      await operator.json(whole.split(' '));
    }
  },
);

test('each command whose secret is not shown again names the one that makes up for it', () => {
  const once = described.filter(({ secret }) => secret);
  expect(once.length).toBeGreaterThan(4);
  expect(once.filter(({ id }) => extras[id]?.unseen === undefined)).toEqual([]);
});

test('a rotation that fails half way has shown the new key, and says what is left', async () => {
  const answers = new Map([
    ['GET', { application: { keys: [{ keyId: 'key_1', kind: 'api_key', createdAt: '2026-01-01' }] } }],
    ['POST', { keyId: 'key_2', secret: 'vak_new' }],
  ]);
  const server = await listen(
    createServer((request, response) => {
      const answer = answers.get(request.method ?? '');
      response
        .writeHead(answer === undefined ? 503 : 200)
        .end(JSON.stringify(answer ?? { error: 'server_error' }));
    }),
    0,
  );
  const env = { VOUCHSAFE_URL: server.url, VOUCHSAFE_OPERATOR_KEY: `vok_${'A'.repeat(22)}` };
  const { code, out, err } = await operateHere(['key', 'rotate', 'app_1', 'key_1', '--yes', '--json'], env);
  await server.close();
  expect([code, JSON.parse(out)]).toEqual([7, { keyId: 'key_2', secret: 'vak_new' }]);
  expect(JSON.parse(err).error).toMatchObject({
    status: 503,
    next: expect.stringContaining('key revoke app_1 key_1'),
  });
});

test('settings are merged after a difference and a question, and others stay', async () => {
  const settings = (...args: string[]) => ['application', 'settings', applicationId, ...args];
  const given = ['paymentGateway=none', 'banking.accountHolder=Seller', 'banking.bankName=Bank'];
  await operator.json(settings(...given, 'banking.iban=DE02120300000000202051', '--yes'));
  const refused = await operator.run(settings('banking.bankName=Other', 'public=true'), 'n');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err.split('\n')).toEqual([
    '- settings.banking.bankName: "Bank"',
    '+ settings.banking.bankName: "Other"',
    '+ settings.public: true',
    'Nothing was done.',
    '',
  ]);
  const confirmed = await operator.run(settings('banking=null'), 'y');
  expect(confirmed.code).toBe(0);
  const { application } = await operator.json(settings());
  expect(application.settings).toMatchObject({ paymentGateway: 'none' });
  expect(application.settings).not.toHaveProperty('banking');
});

test('assignments are JSON or else texts, at paths with dots', () => {
  expect(settingsOf(['a.b=1', 'a.c="1"', 'd=x=y', 'e=', 'a.d=null', 'f=[1]', 'ab=2'])).toEqual({
    a: { b: 1, c: '1', d: null },
    d: 'x=y',
    e: '',
    f: [1],
    ab: 2,
  });
  expect(Object.keys(settingsOf(['__proto__.x=1']))).toEqual(['__proto__']);
  for (const wrong of ['a', '=1', 'a..b=1', '.a=1']) expect(() => settingsOf([wrong])).toThrow('key=value');
});

test.each([
  [['a=1', 'a=2'], 'a is given twice.'],
  [['a.b=1', 'c=1', 'a.b=null'], 'a.b is given twice.'],
  [['banking=null', 'banking.iban=DE02'], 'banking and banking.iban are one setting'],
  [['a.b=2', 'a=1'], 'a.b and a are one setting'],
  [['a.b={"c":1}', 'a.b.c.d=2'], 'a.b and a.b.c.d are one setting'],
])('assignments of which one would be lost are refused: %j', async (assignments, said) => {
  expect(() => settingsOf(assignments)).toThrow(said);
  const { code, err } = await operator.run(['application', 'settings', applicationId, ...assignments], 'y');
  expect([code, err]).toEqual([2, expect.stringContaining(said)]);
});
