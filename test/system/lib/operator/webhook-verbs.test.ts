import { beforeAll, describe, expect, test } from 'vitest';
import { localOperator } from './program.ts';

let operator: Awaited<ReturnType<typeof localOperator>>;
let application: string;
beforeAll(async () => {
  operator = await localOperator();
  application = operator.applicationId;
});

const run = (...args: string[]) => operator.run(args);
const json = (...args: string[]) => operator.json(args);

const endpoint = 'https://app.example/webhooks';

describe('an operator who names an application', () => {
  test('creates, shows, changes, tests, rotates and removes a webhook of it', async () => {
    const made = await json('webhook', 'create', application, '--endpoint', endpoint, '--type', 'link.*');
    expect(made.secret).toMatch(/^whsec_/);
    expect(made.webhook).toMatchObject({
      url: endpoint,
      types: ['link.*'],
      active: true,
      keyKind: 'client_secret',
    });
    const { _id } = made.webhook;
    expect((await json('webhook', 'list', application)).webhooks).toContainEqual(made.webhook);
    const changed = await json('webhook', 'update', application, _id, '--no-active', '--description', 'Off.');
    expect(changed.webhook).toMatchObject({ active: false, description: 'Off.', types: ['link.*'] });
    expect((await run('webhook', 'test', application, _id)).code).toBe(1);
    await json('webhook', 'update', application, _id, '--active');
    const { eventId, deliveryId } = await json('webhook', 'test', application, _id);
    expect([eventId, deliveryId]).toEqual([expect.stringMatching(/^evt_/), expect.stringMatching(/^dlv_/)]);
    expect((await json('event', 'show', application, eventId)).event).toMatchObject({ type: 'webhook.test' });
    expect((await json('webhook', 'rotate', application, _id)).secret).not.toBe(made.secret);
    expect((await run('webhook', 'remove', application, _id)).code).toBe(2);
    expect(await json('webhook', 'remove', application, _id, '--yes')).toEqual({
      success: true,
      deleted: _id,
    });
  });

  test('does nothing to the webhooks of another application', async () => {
    const { webhook } = await json(
      'webhook',
      'create',
      application,
      '--endpoint',
      endpoint,
      '--type',
      '*',
      '--type',
      'payment.*',
    );
    for (const verb of ['show', 'rotate', 'test', 'update']) {
      const { code, err } = await run('webhook', verb, operator.otherApplicationId, webhook._id);
      expect([verb, code]).toEqual([verb, 1]);
      expect(err).toContain('404 not_found');
    }
  });
});
