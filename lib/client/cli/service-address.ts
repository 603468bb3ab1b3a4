import { usageError } from './cli-error.ts';

/**
 * The address of the API: `--url`; else the one that a link of the service's own page shows (`<api>/s/<shareId>`); else
 * VOUCHSAFE_URL.
 *
 * @throws {CliError}
 */
export function serviceAddress(
  given: string | undefined,
  env: Record<string, string | undefined>,
  link?: string,
): string {
  const own = link === undefined ? undefined : /^(https?:\/\/[^?#]+)\/s\/[^/?#]+(?:[?#]|$)/.exec(link)?.[1];
  const url = given ?? own ?? env.VOUCHSAFE_URL;
  if (url === undefined || url === '') {
    throw usageError('Name the API with --url <url> or VOUCHSAFE_URL, such as https://api.example.com.');
  }
  if (!/^https?:\/\/[^?#]+$/.test(url))
    throw usageError('The address of the API must be an http or https URL.');
  return url;
}
