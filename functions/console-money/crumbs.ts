import { type Crumbs, filled } from '../console/pages/visit.ts';
import type { Application } from '../shared/accounts/applications.ts';
import { applicationPath } from './routes.ts';

/** The name of the page of the money of an application, which others are within. */
export const applicationCrumb = (application: Pick<Application, 'applicationId' | 'name'>): Crumbs => ({
  [filled(applicationPath, application)]: application.name || application.applicationId,
});
