import { ListedApplication } from './applications/routes.ts';
import { ApplicationKeySchema, ApplicationResponse } from './applications/schemas.ts';
import { Credit, ListedClient } from './clients/list-schema.ts';
import { OneClient } from './clients/schemas.ts';
import { DeviceSchema } from './devices/routes.ts';
import { ListedCreditNote, ListedInvoice } from './invoices/listing/list-schema.ts';
import {
  Banking,
  CreditNoteSchema,
  DocumentLine,
  InvoiceSchema,
  NationalTax,
  Party,
  TaxLine,
} from './invoices/schemas.ts';
import { AccountBalance, AccountLineResponse } from './journal/account-schemas.ts';
import { AccountStatement } from './journal/routes.ts';
import { EntryResponse, PostingResponse, RecordResponse } from './journal/schemas.ts';
import { AppliedPart, OnePayment } from './ledger/payment-schema.ts';
import { AccountResult, HistoryEntry, TrustLink } from './links/api/responses.ts';
import { DecidedReview, QueuedReview } from './links/contracts/reviews.ts';
import { LinkStatusResult } from './links/contracts/statuses.ts';
import { AuditRecordSchema, Ended } from './operator/audit/schemas.ts';
import { OperatorKeySchema } from './operator/contracts/keys.ts';
import { SubscriptionMail, UndeliveredMail } from './operator/contracts/mails.ts';
import { SearchHit } from './operator/search/schemas.ts';
import { OnePayOut } from './payments/contracts/decisions.ts';
import { OnePlan } from './plans/plan.ts';
import { AmountsByAge } from './reports/ages-schema.ts';
import { ReceivablesResponse, ReceivablesTotals } from './reports/receivables-schemas.ts';
import { PreparingResponse } from './reports/report-route.ts';
import { RevenueResponse, Totals } from './reports/schemas.ts';
import { Row, TaxResponse } from './reports/tax-schemas.ts';
import { SettingsRequest, SettingsResponse } from './shared/accounts/application-settings.ts';
import { Warning } from './shared/accounts/application-warnings.ts';
import { Consent } from './shared/auth/grants/consent.ts';
import { Address } from './shared/fields/postal-address.ts';
import { Receipt } from './shares/share.ts';
import { Candidate, Entry, ReversedPayment, Statement } from './statements/response-schemas.ts';
import { details } from './subscriptions/contracts/plan-changes.ts';
import {
  ChangedSubscription,
  OneSubscription,
  PlannedChange,
  PlanOfSubscription,
  SubscriptionSchema,
  TimelineEntrySchema,
} from './subscriptions/schemas.ts';
import { UserGrant } from './users/contracts/grants.ts';
import { OneSocialAccount, OneUser } from './users/schemas.ts';
import { AttemptSchema, DeliverySchema, EventSchema } from './webhooks/api/schemas.ts';
import { WebhookSchema } from './webhooks/endpoints/schema.ts';

/**
 * The registry of objects: the name that the OpenAPI document gives to each, wherever it appears. A registry of its own keeps
 * the names out of the code of functions.
 */
export const objects = {
  AccountBalance,
  AccountLine: AccountLineResponse,
  AccountStatement,
  Address,
  AmountsByAge,
  Application: ApplicationResponse,
  ApplicationKey: ApplicationKeySchema,
  ApplicationSettings: SettingsResponse,
  ApplicationSettingsRequest: SettingsRequest,
  AppliedPart,
  AuditRecord: AuditRecordSchema,
  BankAccount: Banking,
  BankStatement: Statement,
  BankStatementEntry: Entry,
  ChangedSubscription: ChangedSubscription.shape.subscription,
  Client: OneClient.shape.client,
  Consent,
  Credit,
  CreditNote: CreditNoteSchema,
  DecidedReview,
  Delivery: DeliverySchema,
  DeliveryAttempt: AttemptSchema,
  Device: DeviceSchema,
  DocumentLine,
  EndedAccess: Ended,
  Event: EventSchema,
  Invoice: InvoiceSchema,
  JournalEntry: EntryResponse,
  JournalPosting: PostingResponse,
  JournalRecord: RecordResponse,
  Link: TrustLink,
  LinkHistoryEntry: HistoryEntry,
  LinkStatus: LinkStatusResult,
  ListedApplication,
  ListedClient,
  ListedCreditNote,
  ListedInvoice,
  MatchCandidate: Candidate,
  NationalTax,
  OperatorKey: OperatorKeySchema,
  Party,
  Payment: OnePayment.shape.payment,
  PayOut: OnePayOut.shape.payOut,
  Plan: OnePlan.shape.plan,
  PlanChange: details,
  PlannedChange,
  PreparingReport: PreparingResponse,
  ReceivablesReport: ReceivablesResponse.shape.report,
  ReceivablesTotals,
  RevenueReport: RevenueResponse.shape.report,
  RevenueTotals: Totals,
  ReversedPayment,
  Review: QueuedReview,
  SearchHit,
  ShareReceipt: Receipt,
  SocialAccount: OneSocialAccount.shape.socialAccount,
  SocialAccountStatus: AccountResult,
  Subscription: SubscriptionSchema,
  SubscriptionDetails: OneSubscription.shape.subscription,
  SubscriptionPlan: PlanOfSubscription,
  TaxLine,
  TaxReport: TaxResponse.shape.report,
  TaxReportRow: Row,
  TimelineEntry: TimelineEntrySchema,
  SubscriptionMail,
  UndeliveredMail,
  User: OneUser.shape.user,
  UserGrant,
  Warning,
  Webhook: WebhookSchema,
};
