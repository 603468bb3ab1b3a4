import * as keys from '../../../functions/shared/contract/keys.ts';
import { operatedPlan, recordOf } from '../../openapi/example-texts.ts';
import { type DemoOptions, demoClient, storedOrCreated } from './demo-client.ts';
import type { Demo } from './demo-data.ts';

/** The text of examples for a field. @throws Error when they have none: an empty text would be replaced everywhere. */
function exampleOf(field: string): string {
  const text = recordOf(field);
  if (text === undefined) throw new Error(`The examples have no ${field}`);
  return text;
}

const idOf = (prefix: string) => `${prefix}_01jd3b7q0000e5w3v9f2k4m6p8`;

/**
 * The ids and keys of the demo data, by the texts that stand for them in the examples of the reference. A record that the demo
 * data does not have is created, or left out. No mailed code is among them.
 */
export async function exampleValues(options: DemoOptions, demo: Demo): Promise<Record<string, string>> {
  const { gateway } = demo.applications;
  const { subscription, vault } = demo;
  const userId = vault?.userId ?? demo.users.verified.userId;
  const asSeller = demoClient(options, gateway.apiKey);
  const { invoices } = await asSeller.listInvoices();
  const { payments } = await asSeller.listPayments();
  const { creditNotes } = await asSeller.listCreditNotes();
  const { events } = await asSeller.listEvents();
  const { deliveries } = await asSeller.listDeliveries({ id: demo.webhooks.gateway._id });
  const operated = await operatedApplication(options, demo.operatorKey);
  // A new share for each reader: the examples open it, read its receipt and burn it.
  const share = await demoClient(options).createShare({
    data_blob: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJ',
    iv: 'AAECAwQFBgcICQoL',
    one_time: false,
    receipt: true,
  });
  const values: Readonly<Record<string, string | undefined>> = {
    '<vak_...>': gateway.apiKey,
    '<vcs_...>': gateway.clientSecret,
    '<vok_...>': demo.operatorKey,
    [idOf('app')]: operated._id,
    [operatedPlan]: operated.planId,
    [idOf('pln')]: demo.plans.gateway.paid,
    [idOf('sub')]: subscription._id,
    [idOf('inv')]: invoices[0]?._id,
    [idOf('pay')]: payments[0]?._id,
    [idOf('crn')]: creditNotes[0]?._id,
    [idOf('whk')]: demo.webhooks.gateway._id,
    [idOf('evt')]: events[0]?.id,
    [idOf('dlv')]: deliveries[0]?._id,
    [idOf('lnk')]: await linkOf(options, gateway.clientSecret, userId),
    [idOf('bst')]: await statementOf(options, gateway),
    [exampleOf('externalId')]: subscription.externalId,
    [exampleOf('reference')]: subscription.referenceNumber,
    [exampleOf('userId')]: userId,
    // The address of the user: another one would end the vault, and stay taken when a reset leads to another user.
    [exampleOf('userEmail')]: vault?.email,
    '<id>': share.shareId,
    '<shareId>': share.shareId,
    vsr_8Jm2kQ0fT5xWc1hVnRbL4A: share.receiptToken,
    '<token>': subscription.billingPath.split('/').at(-1),
    '<x-device-id>': vault?.headers['x-device-id'],
    '<x-auth-hash>': vault?.headers['x-auth-hash'],
    '<x-device-token>': vault?.headers['x-device-token'],
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([from, to]) => (to === undefined ? [] : [[from, to]])),
  );
}

/** The application that examples of operators change: the change to another payment gateway would end the checkouts of any other. */
function operatedApplication(options: DemoOptions, operatorKey: string) {
  return storedOrCreated(
    options,
    'demo.operated',
    async () => {
      const client = demoClient(options, operatorKey);
      const { application } = await client.createApplication({
        name: 'Demo Examples',
        redirectUris: ['http://localhost:8080/callback'],
      });
      const { _id } = application;
      const { plan } = await client.createPlan({
        id: _id,
        name: 'Pro',
        description: 'The plan that an example changes.',
        price: 9.99,
        currency: 'EUR',
        billingCycle: 'monthly',
        features: ['Everything'],
        trialPeriodDays: 14,
      });
      return { _id, planId: plan._id };
    },
    ({ _id, planId }) => options.table.hasAll([keys.application(_id), keys.plan(_id, planId)]),
  );
}

async function linkOf(
  options: DemoOptions,
  clientSecret: string,
  userId: string,
): Promise<string | undefined> {
  const asApplication = demoClient(options, clientSecret);
  const headers = { 'x-user-id': userId };
  const { trustLinks } = await asApplication.listLinks({}, { headers });
  if (trustLinks[0] !== undefined) return trustLinks[0]._id;
  const links = [
    { title: 'Demo on YouTube', url: 'https://www.youtube.com/@demo', platform: 'YouTube' as const },
  ];
  const made = await asApplication.submitLinks({ links }, { headers });
  return made.trustLinks[0]?._id;
}

function statementOf(
  options: DemoOptions,
  { _id, apiKey }: { _id: string; apiKey: string },
): Promise<string> {
  return storedOrCreated(
    options,
    `demo.statement.${_id}`,
    async () => {
      const file = Buffer.from(
        'Date;Amount;Reference\n2026-11-20;9.99;Demo\n2026-11-20;-1.50;Fee\n',
      ).toString('base64');
      const columns = { date: 'Date', amount: 'Amount', reference: ['Reference'] };
      const { statement } = await demoClient(options, apiKey).createBankStatement({
        format: 'csv',
        file,
        mapping: { columns, currency: 'EUR' },
      });
      return statement._id;
    },
    async () => true,
  );
}
