import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { vi } from 'vitest';
import { keys } from '../../../functions/shared/contract/keys.ts';
import { listen } from '../../../lib/local/listen.ts';
import { startStack } from '../../../lib/local/stack.ts';
import type { ReadMail } from '../mail/mailbox.ts';
import { updateItem } from '../stored-items.ts';
import { newTenant, newUser, type Tenant } from '../tenants.ts';

/** A local stack with a user, an application, and the application's web server. */
export interface OAuthStack {
  url: string;
  tenant: Tenant;
  user: { userId: string; email: string };
  /** A page of the application's server that frames another: `?of=<url>`. */
  framing: string;
  mailedCode(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Runs on the engine of the test run, with its own table. Modules are reset, because SDK clients keep their
 * endpoint.
 */
export async function startOAuthStack(): Promise<OAuthStack> {
  vi.resetModules();
  const stack = await startStack({
    port: 0,
    dataDir: ':memory:',
    env: { ...process.env, TABLE_NAME: `stack-${randomUUID()}`, AWS_ENDPOINT_URL_SES: undefined },
    log: () => undefined,
  });
  const application = await listen(
    createServer((request, response) => {
      const of = new URL(request.url ?? '/', 'http://x').searchParams.get('of');
      response.setHeader('content-type', 'text/html');
      response.end(
        of === null
          ? '<h1>Welcome back</h1>'
          : `<h1>Frame</h1><iframe src="${of.replaceAll('&', '&amp;')}"></iframe>`,
      );
    }),
    0,
  );
  const [tenant, user] = await Promise.all([newTenant(), newUser()]);
  const redirectUri = `${application.url}/callback`;
  await updateItem(keys.application(tenant.applicationId), {
    UpdateExpression: 'SET redirectUris = :uris',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':uris': [redirectUri] },
  });
  return {
    url: stack.url,
    user,
    tenant: { ...tenant, redirectUri },
    framing: `${application.url}/frame`,
    mailedCode: async () => {
      const mails = await fetch(`${stack.url}/_local/mailbox?to=${encodeURIComponent(user.email)}`);
      const { messages } = (await mails.json()) as { messages: ReadMail[] };
      return /\d{6}/.exec(messages[0]?.subject ?? '')?.[0] ?? '';
    },
    stop: async () => {
      await application.close();
      await stack.stop();
      vi.resetModules();
    },
  };
}
