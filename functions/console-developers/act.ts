import type { Answer, Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import type { Input } from '../shared/contract/route.ts';
import { carryOut } from './application/acts.ts';
import { route } from './contracts/act.ts';

/** Carries out an act on an application. A form that is sent again changes nothing. */
export function actOnDeveloper({ params, body }: Input<typeof route>, visit: Visit): Promise<Answer> {
  return carryOut({ applicationId: params.applicationId, visit }, body);
}

export const handler = consoleEndpoint(route, 'admin', actOnDeveloper);
