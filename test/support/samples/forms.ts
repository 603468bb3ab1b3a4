/** Forms of pages, as browsers send them. */
export const formType = { 'content-type': 'application/x-www-form-urlencoded' };

export const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

/** The hidden fields of the form with the step's button. */
export function formWith(page: string, step: string): Record<string, string> {
  const forms = page.match(/<form[\s\S]*?<\/form>/g) ?? [];
  const formHtml = forms.find((one) => one.includes(`name="step" value="${step}"`)) ?? '';
  const inputs = [...formHtml.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescaped(value)]));
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '');

/** A form with files, as browsers send it: its bytes and its headers. */
export async function multipart(
  fields: readonly (readonly [name: string, value: string | File])[],
): Promise<{ body: Uint8Array; headers: { 'content-type': string } }> {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  const encoded = new Response(data);
  const body = new Uint8Array(await encoded.arrayBuffer());
  return { body, headers: { 'content-type': encoded.headers.get('content-type') ?? '' } };
}
