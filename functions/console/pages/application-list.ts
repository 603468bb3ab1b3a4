import { applicationPage } from '../../applications/application-page.ts';
import type { Markup } from '../../shared/html/markup.ts';
import { filteredPage, Period, periodFilters } from './lists.ts';
import { column, list } from './table.ts';
import type { Answer, Visit } from './visit.ts';

const shownApplications = 25;

/** The applications, newest first, each with a link to what a section has of it. @param href of the page of an application. */
export function applicationList(
  visit: Visit,
  title: string,
  href: (applicationId: string) => Markup,
  read = applicationPage,
): Promise<Answer> {
  return filteredPage(visit, title, {
    schema: Period,
    filters: periodFilters('Created'),
    read: async ({ from, to }) => {
      const page = await read({ limit: shownApplications, cursor: visit.query.cursor, from, to });
      return list(
        visit,
        'Applications, newest first',
        page,
        [
          column.link(
            'Name',
            ({ _id, name }) => name || _id,
            ({ _id }) => href(_id),
          ),
          column.time('Created', ({ createdAt }) => Date.parse(createdAt)),
          column.id('Id', ({ _id }) => _id),
        ],
        'No applications.',
      );
    },
  });
}
