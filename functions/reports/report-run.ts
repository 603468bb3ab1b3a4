/** The period of a report in epoch milliseconds; `toMs` is not included. */
export interface ReportPeriod {
  fromMs: number;
  toMs: number;
  /** Of the seller, in which days begin. Absent for UTC. */
  timeZone?: string;
}

interface Places {
  from: string;
  to: string;
}

export interface ReportRun<Figures> {
  applicationId: string;
  period: ReportPeriod;
  /** When the report was begun. Records that were created later are not counted. */
  asOfMs: number;
  /** By the names of parts. The report is counted when nothing is left. */
  unread: Record<string, Places>;
  records: number;
  figures: Figures;
}
