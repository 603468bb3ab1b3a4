import type { Answer, Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import type { Input } from '../shared/contract/route.ts';
import { carryOut } from './application/actions.ts';
import { route } from './contracts/action.ts';

/** Carries out an action on an application. A form that is sent again changes nothing. */
export function actOnApplication({ params, body }: Input<typeof route>, visit: Visit): Promise<Answer> {
  return carryOut({ applicationId: params.applicationId, visit }, body);
}

export const handler = consoleEndpoint(route, 'admin', actOnApplication);
