import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/sign-in-show.ts';
import { consoleFrame } from './pages/frame.ts';
import { pageNamed } from './pages/path.ts';
import { withConsoleErrorPages } from './pages/refusals.ts';
import { signInPage } from './pages/sign-in-page.ts';

/** Shows the sign-in, from which the page that was asked for follows. */
export function showSignIn({ query: { next, notice } }: Input<typeof route>): Reply {
  return consoleFrame.reply(200, signInPage(pageNamed(next), notice));
}

export const handler = withConsoleErrorPages(route.path, endpoint(route, showSignIn));
