import { call } from '../call.ts';
import { asSeller } from '../subscriptions/requests.ts';
import type { Tenant } from '../tenants.ts';

/** The text of each page of the journal of an application, as the links lead to them. */
export async function journalPages(
  tenant: Tenant,
  query: Record<string, string>,
  accept = 'application/json',
): Promise<string[]> {
  const headers = { ...asSeller(tenant), accept };
  const pages: string[] = [];
  let next: Record<string, string> | undefined = query;
  while (next !== undefined) {
    const page: Awaited<ReturnType<typeof call>> = await call('journal.list', { headers, query: next });
    pages.push(page.text);
    const { link } = page.headers;
    next =
      link === undefined
        ? undefined
        : Object.fromEntries(new URL(link.slice(1, link.indexOf('>'))).searchParams);
  }
  return pages;
}
