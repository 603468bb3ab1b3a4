/** The paths of the pages of an application and of its bank statements, and of their forms. */
import * as z from 'zod/mini';
import { ApplicationPath, hidden } from '../../console/contracts/console-route.ts';

export const applicationPath = '/console/money/{applicationId}';
export const statementsPath = '/console/money/{applicationId}/statements';
export const statementPath = '/console/money/{applicationId}/statements/{statementId}';

export const ConsoleStatementPath = z.extend(ApplicationPath, {
  statementId: hidden('The id of the statement.'),
});
