/** Written by `npm run generate:client` from the OpenAPI document. */
export interface components {
    schemas: {
        AccountBalance: {
            /** @description ISO 4217. */
            currency: string;
            /** @description What the client owes less their credit. Below 0, it is credit. */
            balance: number;
        };
        AccountLine: {
            /** @description The record of the journal. */
            record: string;
            bookedAt: components["schemas"]["Time"];
            /**
             * Format: date
             * @description The day of `bookedAt` in the time zone of the seller.
             */
            day: string;
            /** @enum {string} */
            kind: "invoice" | "cancellation" | "credit_note" | "bad_debt" | "write_off" | "payment" | "allocation" | "credit" | "release" | "carry_over" | "refund" | "refund_failed" | "dispute" | "dispute_won" | "reversal" | "pay_out";
            /** @description The numbers of the credit note, if it has one, and of the invoices that it moves. */
            documents: string[];
            subscriptionId?: string;
            /** @description The payment whose money moves. */
            paymentId?: string;
            /** @description ISO 4217. */
            currency: string;
            /** @description What the client owes more. Below 0, they owe less, or have more credit. */
            amount: number;
            /** @description The balance in the currency after it. */
            balance: number;
        };
        AccountStatement: {
            externalId: string;
            /** @description In which days begin. */
            timeZone: string;
            /** @description Before the first line of the period, by currency. */
            openingBalances: components["schemas"]["AccountBalance"][];
            /** @description After the last line of the period, by currency. */
            closingBalances: components["schemas"]["AccountBalance"][];
        };
        ActivateSubscriptionRequest: {
            /** @description Your id for the payment. A payment is recorded once for each id: a repeat changes nothing. */
            paymentId?: string;
            /** @description The amount received, as a decimal number. Default: what is due. */
            amount?: number;
            /** @description The currency of the amount. Default: that of the open invoice. */
            currency?: string;
            /** @description When the money arrived, from the year 2000 on and at most a day ahead. It decides whether the payment is in time. Default: now. */
            valueDate?: string | components["schemas"]["Time"];
            /** @description The `_id` of the invoice that was paid first. Default: the oldest open one. */
            invoiceId?: string;
        };
        ActivateSubscriptionResponse: {
            subscription: components["schemas"]["ChangedSubscription"];
        };
        Address: {
            /** @description Street and number, or a post-office box. */
            line1: string;
            /** @description Building, floor or department. */
            line2?: string;
            /** @description Postal code. */
            postalCode?: string;
            /** @description City or town. */
            city: string;
            /** @description State, province or region. */
            region?: string;
            /** @description ISO 3166-1 alpha-2. */
            country: string;
        };
        AmountsByAge: {
            /** @description The sum of the ages. */
            total: number;
            /** @description Not due yet. */
            notDue: number;
            /** @description Overdue for up to 30 days. */
            days1To30: number;
            /** @description Overdue for more than 30 days, up to 60. */
            days31To60: number;
            /** @description Overdue for more than 60 days, up to 90. */
            days61To90: number;
            /** @description Overdue for more than 90 days. */
            over90: number;
        };
        Application: {
            _id: string;
            name: string;
            /** @description The client id for OAuth. Equal to `_id`. */
            clientId: string;
            redirectUris: string[];
            settings: components["schemas"]["ApplicationSettings"];
            keys: components["schemas"]["ApplicationKey"][];
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        ApplicationKey: {
            keyId: string;
            /**
             * @description `client_secret` authenticates for links and OAuth, `api_key` for subscriptions.
             * @enum {string}
             */
            kind: "client_secret" | "api_key";
            /** @description The first characters of the secret. */
            hint: string;
            createdAt: components["schemas"]["Time"];
            expiresAt?: components["schemas"]["Time"];
            /** @description The last request with the key that was within the limits. To within an hour for tokens of OAuth. Absent without one in the last 90 days. */
            lastUsedAt?: components["schemas"]["Time"];
        };
        /** @description The settings that were set. An absent setting has its default. */
        ApplicationSettings: {
            /**
             * @description How clients pay. `none`: by bank transfer. `sandbox`: on a test page, without real payments; refused where the deployment has no sandbox. `stripe`: with Stripe Checkout.
             * @default none
             * @enum {string}
             */
            paymentGateway?: "none" | "sandbox" | "stripe";
            /** @description The account for bank transfers, which every invoice shows. */
            banking?: {
                /** @description Name of the account holder. */
                accountHolder: string;
                /** @description Name of the bank. */
                bankName: string;
                /** @description Account number, where there is no IBAN. */
                accountNumber?: string;
                /** @description ISO 13616. */
                iban?: string;
                /** @description ISO 9362. */
                bic?: string;
                /** @description Sort code, routing number or similar. */
                branchCode?: string;
                /** @description How to pay, in your words, such as where the account is shown. */
                instructions?: string;
            };
            /** @description What happens when a term ends and the renewal is not paid. */
            dunning?: {
                /**
                 * @description Days after the end of the term on which reminders are sent, in rising order.
                 * @default [
                 *       0,
                 *       2,
                 *       7,
                 *       14
                 *     ]
                 */
                reminderDays?: number[];
                /**
                 * @description Days after the end of the term on which the subscription expires.
                 * @default 21
                 */
                endsAfterDays?: number;
                /**
                 * @description Days after the end of the term for which access stays full.
                 * @default 7
                 */
                graceDays?: number;
                /**
                 * @description Where the term of a new subscription starts that replaces an overdue one within its days of grace.
                 * @default old_end
                 * @enum {string}
                 */
                newTermStart?: "old_end" | "now";
            };
            /** @description Free trials. */
            trial?: {
                /**
                 * @description Whether each client gets only one trial.
                 * @default true
                 */
                oncePerClient?: boolean;
                /**
                 * @description Days before the end of the trial on which a reminder is sent.
                 * @default 3
                 */
                reminderDays?: number;
            };
            /** @description When invoices are issued and due, and how they are numbered. */
            invoices?: {
                /**
                 * @description Days before the end of the term on which the next invoice is issued.
                 * @default 7
                 */
                renewalDays?: number;
                /**
                 * @description Days until the first invoice is due.
                 * @default 7
                 */
                dueDays?: number;
                /**
                 * @description The series of the numbers. `subscription`: one for each subscription, after its reference number. `seller`: one for all invoices of the application, without gaps, and another for its credit notes.
                 * @default subscription
                 * @enum {string}
                 */
                numbering?: "subscription" | "seller";
                /**
                 * @description What each number of the series of invoices starts with, where the seller has one.
                 * @default INV-
                 */
                invoicePrefix?: string;
                /**
                 * @description What each number of the series of credit notes starts with, where the seller has one.
                 * @default CRN-
                 */
                creditNotePrefix?: string;
            };
            /** @description The legal seller. Every invoice names them. */
            seller?: {
                /** @description Full name of the seller. */
                legalName: string;
                /** @description Full address of the seller. */
                address: {
                    /** @description Street and number, or a post-office box. */
                    line1: string;
                    /** @description Building, floor or department. */
                    line2?: string;
                    /** @description Postal code. */
                    postalCode?: string;
                    /** @description City or town. */
                    city: string;
                    /** @description State, province or region. */
                    region?: string;
                    /** @description ISO 3166-1 alpha-2. */
                    country: string;
                };
                /** @description VAT identification number, with the prefix of its country. */
                vatId?: string;
                /** @description Entry in a commercial register, or similar. */
                registration?: string;
            };
            /** @description The tax on invoices. Without it, invoices show none. */
            tax?: {
                /**
                 * @description Rates by the country of the customer's address. They need the setting `seller`.
                 * @default []
                 */
                rates?: {
                    /** @description ISO 3166-1 alpha-2. */
                    country: string;
                    /**
                     * @description What the tax is called there.
                     * @default VAT
                     */
                    name?: string;
                    /** @description The rate in per cent, with at most three decimals. */
                    percent: number;
                    /** @description For a rate of 0: the provision that exempts the supply. */
                    exemption?: string;
                }[];
                /**
                 * @description Whether the prices of plans include the tax (`inclusive`), or it is added to them (`exclusive`).
                 * @default inclusive
                 * @enum {string}
                 */
                pricesInclude?: "inclusive" | "exclusive";
                /**
                 * @description Whether a customer owes the tax themselves if their address and their VAT id are of member states of the European Union other than the seller's.
                 * @default false
                 */
                reverseCharge?: boolean;
                /**
                 * @description How clients without an address are taxed while there are rates. `seller_rate`: as clients in the seller's country. `refuse`: they cannot subscribe.
                 * @default seller_rate
                 * @enum {string}
                 */
                withoutCountry?: "seller_rate" | "refuse";
                /**
                 * @description Whether the tax of uncollectible invoices is owed. `reduce`: no longer, until they are paid (Directive 2006/112/EC, Article 90). `keep`: it is, as where your law wants more than the end of dunning.
                 * @default reduce
                 * @enum {string}
                 */
                badDebts?: "reduce" | "keep";
                /**
                 * @description How clients in a member state of the European Union without a rate are taxed while there are rates, unless they owe the tax themselves. `seller_rate`: at the rate of the seller's country. `refuse`: they cannot subscribe. Without the setting, they cannot either. A client who moves there is taxed at the rate of the seller's country.
                 * @enum {string}
                 */
                withoutRate?: "seller_rate" | "refuse";
                /** @description The currency in which invoices in another one state the tax as well. */
                nationalCurrency?: string;
                /**
                 * @description The rates of other currencies, in the national currency.
                 * @default []
                 */
                exchangeRates?: {
                    /** @description ISO 4217. */
                    currency: string;
                    /** @description The worth of one unit of it in the national currency, with at most eight decimals. */
                    rate: number;
                    /** @description Who published the rate, and when. Invoices state it. */
                    source: string;
                }[];
            };
            /** @description What payments do. */
            payments?: {
                /**
                 * @description How much may be missing from a payment that pays an invoice, as a decimal amount in its currency.
                 * @default 0
                 */
                tolerance?: number;
                /**
                 * @description Days after the end of a subscription for which a late payment makes it active again.
                 * @default 14
                 */
                reviveDays?: number;
                /**
                 * @description What a refund of the current term does. `keep`: access stays to the end of the term. `cancel`: the subscription is cancelled.
                 * @default keep
                 * @enum {string}
                 */
                onRefund?: "keep" | "cancel";
                /**
                 * @description Access while a payment is processing, after the trial or the term has ended. `unchanged`: as before the end.
                 * @default unchanged
                 * @enum {string}
                 */
                processingAccess?: "unchanged" | "full" | "restricted" | "none";
            };
            /** @description The billing page of subscribers, and what they may do on it. */
            billingPage?: {
                /**
                 * @description Whether subscribers have a billing page, and mails link to it.
                 * @default true
                 */
                enabled?: boolean;
                /**
                 * @description Whether the page says how open invoices are paid.
                 * @default true
                 */
                pay?: boolean;
                /**
                 * @description Whether subscribers cancel at the end of the period.
                 * @default true
                 */
                cancel?: boolean;
                /**
                 * @description Whether subscribers undo that cancellation.
                 * @default true
                 */
                undoCancel?: boolean;
                /**
                 * @description Whether subscribers change the name on future invoices.
                 * @default true
                 */
                invoiceName?: boolean;
                /**
                 * @description Whether subscribers replace their link, and have the new one mailed.
                 * @default true
                 */
                replaceLink?: boolean;
            };
            /** @description How `GET /api/v1/journal?format=datev` writes the journal for DATEV. */
            datev?: {
                /** @description The number of the tax consultant (Beraternummer). */
                consultant: number;
                /** @description The number of the client of the consultant (Mandantennummer). */
                client: number;
                /**
                 * @description The month and the day on which a fiscal year begins.
                 * @default 01-01
                 */
                fiscalYearStart?: string;
                /**
                 * @description The digits of the numbers of general ledger accounts.
                 * @default 4
                 */
                accountLength?: number;
                /** @description The account in DATEV for each account of the ledger. */
                accounts: {
                    /** @description Transfers, and payments that the application reports. */
                    bank: string;
                    /** @description Money at the payment gateway. */
                    gateway: string;
                    /** @description Debts of clients: a personal account, for example one for diverse clients. */
                    receivable: string;
                    /** @description Credit of clients. */
                    credit: string;
                    /** @description Payments that wait for a decision. */
                    unallocated: string;
                    /** @description Sales without tax. Not an account that computes tax itself: tax has its own entries. */
                    revenue: string;
                    /** @description Tax of sales. */
                    tax: string;
                    /** @description Amounts that are given up. */
                    writeOff: string;
                };
                /** @description Accounts that differ by country, kind of sale or rate. The first one that fits applies. */
                rates?: ({
                    /** @description ISO 3166-1 alpha-2. */
                    country: string;
                    /**
                     * @description Sales with tax at a rate, which can be 0.
                     * @constant
                     */
                    kind?: "standard";
                    /** @description Absent for all rates of the country. */
                    percent?: number;
                    /** @description Sales without tax. Not an account that computes tax itself: tax has its own entries. */
                    revenue: string;
                    /** @description Tax of sales. */
                    tax: string;
                } | {
                    /** @description ISO 3166-1 alpha-2. */
                    country: string;
                    /**
                     * @description `reverse_charge`: to businesses, who owe the tax. `none`: no rate is set for the country.
                     * @enum {string}
                     */
                    kind: "reverse_charge" | "none";
                    /** @description Sales without tax. Not an account that computes tax itself: tax has its own entries. */
                    revenue: string;
                })[];
            };
            /**
             * @description The time zone of the seller, by its IANA name: of dates on documents, in mails and on pages, and of the days of lists, of the journal, of DATEV and of reports.
             * @default UTC
             */
            timeZone?: string;
            /**
             * @description Access until the first payment.
             * @default none
             * @enum {string}
             */
            pendingAccess?: "none" | "restricted" | "full";
            /**
             * @description Minutes for which a checkout link is valid.
             * @default 1440
             */
            checkoutMinutes?: number;
            /**
             * @description Whether a confidential client may use OAuth without PKCE. Not together with `public`.
             * @default false
             */
            pkceOptional?: boolean;
            /**
             * @description Whether the OAuth client is public: an app or a page that cannot keep a secret.
             * @default false
             */
            public?: boolean;
        };
        /** @description Settings of the application. An absent setting has its default, and an unknown one is refused. */
        ApplicationSettingsRequest: {
            /**
             * @description How clients pay. `none`: by bank transfer. `sandbox`: on a test page, without real payments; refused where the deployment has no sandbox. `stripe`: with Stripe Checkout.
             * @default none
             * @enum {string}
             */
            paymentGateway?: "none" | "sandbox" | "stripe";
            /** @description The account for bank transfers, which every invoice shows. */
            banking?: {
                /** @description Name of the account holder. */
                accountHolder: string;
                /** @description Name of the bank. */
                bankName: string;
                /** @description Account number, where there is no IBAN. */
                accountNumber?: string;
                /** @description ISO 13616. */
                iban?: string;
                /** @description ISO 9362. */
                bic?: string;
                /** @description Sort code, routing number or similar. */
                branchCode?: string;
                /** @description How to pay, in your words, such as where the account is shown. */
                instructions?: string;
            };
            /** @description What happens when a term ends and the renewal is not paid. */
            dunning?: {
                /**
                 * @description Days after the end of the term on which reminders are sent, in rising order.
                 * @default [
                 *       0,
                 *       2,
                 *       7,
                 *       14
                 *     ]
                 */
                reminderDays?: number[];
                /**
                 * @description Days after the end of the term on which the subscription expires.
                 * @default 21
                 */
                endsAfterDays?: number;
                /**
                 * @description Days after the end of the term for which access stays full.
                 * @default 7
                 */
                graceDays?: number;
                /**
                 * @description Where the term of a new subscription starts that replaces an overdue one within its days of grace.
                 * @default old_end
                 * @enum {string}
                 */
                newTermStart?: "old_end" | "now";
            };
            /** @description Free trials. */
            trial?: {
                /**
                 * @description Whether each client gets only one trial.
                 * @default true
                 */
                oncePerClient?: boolean;
                /**
                 * @description Days before the end of the trial on which a reminder is sent.
                 * @default 3
                 */
                reminderDays?: number;
            };
            /** @description When invoices are issued and due, and how they are numbered. */
            invoices?: {
                /**
                 * @description Days before the end of the term on which the next invoice is issued.
                 * @default 7
                 */
                renewalDays?: number;
                /**
                 * @description Days until the first invoice is due.
                 * @default 7
                 */
                dueDays?: number;
                /**
                 * @description The series of the numbers. `subscription`: one for each subscription, after its reference number. `seller`: one for all invoices of the application, without gaps, and another for its credit notes.
                 * @default subscription
                 * @enum {string}
                 */
                numbering?: "subscription" | "seller";
                /**
                 * @description What each number of the series of invoices starts with, where the seller has one.
                 * @default INV-
                 */
                invoicePrefix?: string;
                /**
                 * @description What each number of the series of credit notes starts with, where the seller has one.
                 * @default CRN-
                 */
                creditNotePrefix?: string;
            };
            /** @description The legal seller. Every invoice names them. */
            seller?: {
                /** @description Full name of the seller. */
                legalName: string;
                /** @description Full address of the seller. */
                address: {
                    /** @description Street and number, or a post-office box. */
                    line1: string;
                    /** @description Building, floor or department. */
                    line2?: string;
                    /** @description Postal code. */
                    postalCode?: string;
                    /** @description City or town. */
                    city: string;
                    /** @description State, province or region. */
                    region?: string;
                    /** @description ISO 3166-1 alpha-2. */
                    country: string;
                };
                /** @description VAT identification number, with the prefix of its country. */
                vatId?: string;
                /** @description Entry in a commercial register, or similar. */
                registration?: string;
            };
            /** @description The tax on invoices. Without it, invoices show none. */
            tax?: {
                /**
                 * @description Rates by the country of the customer's address. They need the setting `seller`.
                 * @default []
                 */
                rates?: {
                    /** @description ISO 3166-1 alpha-2. */
                    country: string;
                    /**
                     * @description What the tax is called there.
                     * @default VAT
                     */
                    name?: string;
                    /** @description The rate in per cent, with at most three decimals. */
                    percent: number;
                    /** @description For a rate of 0: the provision that exempts the supply. */
                    exemption?: string;
                }[];
                /**
                 * @description Whether the prices of plans include the tax (`inclusive`), or it is added to them (`exclusive`).
                 * @default inclusive
                 * @enum {string}
                 */
                pricesInclude?: "inclusive" | "exclusive";
                /**
                 * @description Whether a customer owes the tax themselves if their address and their VAT id are of member states of the European Union other than the seller's.
                 * @default false
                 */
                reverseCharge?: boolean;
                /**
                 * @description How clients without an address are taxed while there are rates. `seller_rate`: as clients in the seller's country. `refuse`: they cannot subscribe.
                 * @default seller_rate
                 * @enum {string}
                 */
                withoutCountry?: "seller_rate" | "refuse";
                /**
                 * @description Whether the tax of uncollectible invoices is owed. `reduce`: no longer, until they are paid (Directive 2006/112/EC, Article 90). `keep`: it is, as where your law wants more than the end of dunning.
                 * @default reduce
                 * @enum {string}
                 */
                badDebts?: "reduce" | "keep";
                /**
                 * @description How clients in a member state of the European Union without a rate are taxed while there are rates, unless they owe the tax themselves. `seller_rate`: at the rate of the seller's country. `refuse`: they cannot subscribe. Without the setting, they cannot either. A client who moves there is taxed at the rate of the seller's country.
                 * @enum {string}
                 */
                withoutRate?: "seller_rate" | "refuse";
                /** @description The currency in which invoices in another one state the tax as well. */
                nationalCurrency?: string;
                /**
                 * @description The rates of other currencies, in the national currency.
                 * @default []
                 */
                exchangeRates?: {
                    /** @description ISO 4217. */
                    currency: string;
                    /** @description The worth of one unit of it in the national currency, with at most eight decimals. */
                    rate: number;
                    /** @description Who published the rate, and when. Invoices state it. */
                    source: string;
                }[];
            };
            /** @description What payments do. */
            payments?: {
                /**
                 * @description How much may be missing from a payment that pays an invoice, as a decimal amount in its currency.
                 * @default 0
                 */
                tolerance?: number;
                /**
                 * @description Days after the end of a subscription for which a late payment makes it active again.
                 * @default 14
                 */
                reviveDays?: number;
                /**
                 * @description What a refund of the current term does. `keep`: access stays to the end of the term. `cancel`: the subscription is cancelled.
                 * @default keep
                 * @enum {string}
                 */
                onRefund?: "keep" | "cancel";
                /**
                 * @description Access while a payment is processing, after the trial or the term has ended. `unchanged`: as before the end.
                 * @default unchanged
                 * @enum {string}
                 */
                processingAccess?: "unchanged" | "full" | "restricted" | "none";
            };
            /** @description The billing page of subscribers, and what they may do on it. */
            billingPage?: {
                /**
                 * @description Whether subscribers have a billing page, and mails link to it.
                 * @default true
                 */
                enabled?: boolean;
                /**
                 * @description Whether the page says how open invoices are paid.
                 * @default true
                 */
                pay?: boolean;
                /**
                 * @description Whether subscribers cancel at the end of the period.
                 * @default true
                 */
                cancel?: boolean;
                /**
                 * @description Whether subscribers undo that cancellation.
                 * @default true
                 */
                undoCancel?: boolean;
                /**
                 * @description Whether subscribers change the name on future invoices.
                 * @default true
                 */
                invoiceName?: boolean;
                /**
                 * @description Whether subscribers replace their link, and have the new one mailed.
                 * @default true
                 */
                replaceLink?: boolean;
            };
            /** @description How `GET /api/v1/journal?format=datev` writes the journal for DATEV. */
            datev?: {
                /** @description The number of the tax consultant (Beraternummer). */
                consultant: number;
                /** @description The number of the client of the consultant (Mandantennummer). */
                client: number;
                /**
                 * @description The month and the day on which a fiscal year begins.
                 * @default 01-01
                 */
                fiscalYearStart?: string;
                /**
                 * @description The digits of the numbers of general ledger accounts.
                 * @default 4
                 */
                accountLength?: number;
                /** @description The account in DATEV for each account of the ledger. */
                accounts: {
                    /** @description Transfers, and payments that the application reports. */
                    bank: string;
                    /** @description Money at the payment gateway. */
                    gateway: string;
                    /** @description Debts of clients: a personal account, for example one for diverse clients. */
                    receivable: string;
                    /** @description Credit of clients. */
                    credit: string;
                    /** @description Payments that wait for a decision. */
                    unallocated: string;
                    /** @description Sales without tax. Not an account that computes tax itself: tax has its own entries. */
                    revenue: string;
                    /** @description Tax of sales. */
                    tax: string;
                    /** @description Amounts that are given up. */
                    writeOff: string;
                };
                /** @description Accounts that differ by country, kind of sale or rate. The first one that fits applies. */
                rates?: ({
                    /** @description ISO 3166-1 alpha-2. */
                    country: string;
                    /**
                     * @description Sales with tax at a rate, which can be 0.
                     * @constant
                     */
                    kind?: "standard";
                    /** @description Absent for all rates of the country. */
                    percent?: number;
                    /** @description Sales without tax. Not an account that computes tax itself: tax has its own entries. */
                    revenue: string;
                    /** @description Tax of sales. */
                    tax: string;
                } | {
                    /** @description ISO 3166-1 alpha-2. */
                    country: string;
                    /**
                     * @description `reverse_charge`: to businesses, who owe the tax. `none`: no rate is set for the country.
                     * @enum {string}
                     */
                    kind: "reverse_charge" | "none";
                    /** @description Sales without tax. Not an account that computes tax itself: tax has its own entries. */
                    revenue: string;
                })[];
            };
            /**
             * @description The time zone of the seller, by its IANA name: of dates on documents, in mails and on pages, and of the days of lists, of the journal, of DATEV and of reports.
             * @default UTC
             */
            timeZone?: string;
            /**
             * @description Access until the first payment.
             * @default none
             * @enum {string}
             */
            pendingAccess?: "none" | "restricted" | "full";
            /**
             * @description Minutes for which a checkout link is valid.
             * @default 1440
             */
            checkoutMinutes?: number;
            /**
             * @description Whether a confidential client may use OAuth without PKCE. Not together with `public`.
             * @default false
             */
            pkceOptional?: boolean;
            /**
             * @description Whether the OAuth client is public: an app or a page that cannot keep a secret.
             * @default false
             */
            public?: boolean;
        };
        AppliedPart: {
            invoiceId: string;
            number: string;
            subscriptionId: string;
            /** @description A decimal amount in the currency. */
            amount: number;
        };
        ApplyPaymentRequest: {
            /** @description The `_id` of the invoice to pay. */
            invoiceId?: string;
            /** @description The `_id` of the subscription to pay. */
            subscriptionId?: string;
        };
        ApplyPaymentResponse: {
            payment: components["schemas"]["Payment"];
        };
        AuditRecord: {
            at: components["schemas"]["Time"];
            /** @description The kind of the object, and what was done to it. A change of several fields of a user is named after the first of them. */
            action: string;
            object: {
                kind: string;
                id: string;
                /** @description The application that the object belongs to, if it belongs to one. */
                applicationId?: string;
            };
            by: {
                /** @constant */
                kind: "operator";
                /** @description The id of the operator key. */
                id: string;
                /** @description The person who uses the operator key. */
                name: string;
                /** @description The address that the request came from; `bootstrap` or `retire` for these commands. */
                from: string;
            } | {
                /**
                 * @description The user did it on the account page.
                 * @constant
                 */
                kind: "user";
            };
            reason?: string;
            /** @description The revision of the object that the action led to. Some objects have none. */
            revision?: number;
            /** @description The former values of the changed fields. Of a confirmed bank statement: decisions that overrode a match and decisions of other people, of up to 50 entries, with the match that was found. */
            before?: {
                [key: string]: unknown;
            };
            reset?: components["schemas"]["EndedAccess"];
            /** @description The grant that was withdrawn. */
            grant?: {
                id: string;
                applicationId: string;
            };
            /** @description The key of the application. */
            key?: {
                id: string;
                kind: string;
            };
            /** @description The person and the scopes of the operator key. */
            operatorKey?: {
                name: string;
                scopes: string[];
            };
        };
        BankAccount: {
            accountHolder: string;
            bankName: string;
            accountNumber?: string;
            iban?: string;
            bic?: string;
            branchCode?: string;
            instructions?: string;
        };
        BankStatement: {
            _id: string;
            /** @enum {string} */
            format: "camt.053" | "csv";
            /**
             * @description `ready`: nothing is recorded yet. `importing`: confirmed. `imported`: every entry has a result.
             * @enum {string}
             */
            status: "ready" | "importing" | "imported";
            /** @description Credits and reversals. Only these are shown. */
            entries: number;
            /** @description Entries of the file that are left out because no money arrived: withdrawals, and amounts of zero. */
            withdrawals: number;
            /** @description Entries of the file that are left out because the bank has not booked them. */
            notBooked: number;
            /** @description Entries of the file that are left out because their date does not exist, at most 100. Correct the file and send it again: an entry that was recorded is not recorded twice. */
            rejected: {
                /** @description The number of the entry in the file, starting at 1. */
                entry: number;
                problem: string;
            }[];
            /** @description The sum of the credits in each currency. */
            totals: {
                currency: string;
                /** @description Decimal, for example 9.99. */
                amount: number;
            }[];
            /** @description The number of entries with each value of `match`. */
            matches: {
                matched: number;
                suggested: number;
                unknown: number;
                duplicate: number;
                reversal: number;
            };
            progress: {
                /** @description The number of entries that have a result. */
                done: number;
                /** @description The number of entries with each value of `result`. */
                results: {
                    processing: number;
                    applied: number;
                    partial: number;
                    credit: number;
                    unapplied: number;
                    refunded: number;
                    disputed: number;
                    returned: number;
                    duplicate: number;
                    skipped: number;
                    reversed: number;
                    reversal: number;
                    failed: number;
                };
            };
            createdAt: components["schemas"]["Time"];
            confirmedAt?: components["schemas"]["Time"];
            importedAt?: components["schemas"]["Time"];
            /** @description When the statement is deleted. Its payments are kept. */
            expiresAt: components["schemas"]["Time"];
        };
        BankStatementEntry: {
            /** @description The number of the entry in the statement, by value date. */
            entryId: string;
            /**
             * @description `matched`: a reference number names one subscription. `suggested`: decide between `candidates`. `unknown`: neither. `duplicate`: the entry was recorded before. `reversal`: the bank took an earlier credit back, or gave a withdrawal back.
             * @enum {string}
             */
            match: "matched" | "suggested" | "unknown" | "duplicate" | "reversal";
            /** @description Decimal, for example 9.99. */
            amount: number;
            currency: string;
            /** Format: date */
            valueDate: string;
            /** @description What the payer wrote, up to 500 characters of it. */
            text: string;
            payerName?: string;
            payerIban?: string;
            bankId?: string;
            /** @description The subscription of a match, or up to five to decide between. */
            candidates: components["schemas"]["MatchCandidate"][];
            /** @description The invoices that the payer names, when the amounts due of them add up to the amount of the entry: at most 20. */
            split?: {
                invoiceId: string;
                /** @description Decimal, for example 9.99. */
                amount: number;
            }[];
            /** @description Of a reversal: the payment that it takes back, or up to five to decide between. */
            reversedPayments?: components["schemas"]["ReversedPayment"][];
            /** @description The id of the payment that records the entry, or will record it after the confirmation. Of a reversal: the payment that it takes back, if that is certain. */
            paymentId?: string;
            /** @description Of a reversal without a certain payment: what to do next. */
            message?: string;
            /** @description The decision about the entry. Until the confirmation: the one that is kept in the console, which counts in place of the match when the console confirms. A confirmation with the API has decisions of its own. After it: the one that it was confirmed with. */
            decision?: {
                /** @description The subscription whose open invoices the entry pays, the oldest first. */
                subscriptionId?: string;
                /** @description The invoice that the entry pays first. */
                invoiceId?: string;
                /** @description The invoices between which the entry is divided, of one client or of several. The amounts add up to that of the entry. */
                invoices?: {
                    invoiceId: string;
                    amount: number;
                }[];
                /** @description The payment that the entry takes back. Only of a `reversal`. */
                paymentId?: string;
                /**
                 * @description `true`: the entry is recorded as its `match` says, as without a decision.
                 * @constant
                 */
                asMatched?: true;
                /**
                 * @description `true`: the entry is recorded as a payment that is `unapplied`, whatever it matches.
                 * @constant
                 */
                unapplied?: true;
                /**
                 * @description `true`: the entry is not recorded as a payment, because it is not for this service.
                 * @constant
                 */
                skip?: true;
                /** @description Who kept the decision in the console. */
                by?: {
                    /** @constant */
                    kind: "operator";
                    /** @description The id of the operator key. For operators. */
                    id?: string;
                    /** @description The person who uses the operator key. For operators. */
                    name?: string;
                };
            };
            /**
             * @description The `status` that the payment had when it was recorded. `failed`: see `error`. `duplicate`: recorded before. `reversed`: its payment was taken back. `reversal`: nothing was recorded.
             * @enum {string}
             */
            result?: "processing" | "applied" | "partial" | "credit" | "unapplied" | "refunded" | "disputed" | "returned" | "duplicate" | "skipped" | "reversed" | "reversal" | "failed";
            error?: string;
        };
        CancelSubscriptionRequest: {
            /** @description Whether to cancel at the end of the trial or the paid term. Default: false, immediately. */
            atPeriodEnd?: boolean;
        };
        CancelSubscriptionResponse: {
            subscription: components["schemas"]["ChangedSubscription"];
        };
        ChangeSubscriptionRequest: {
            /** @description The `_id` of one of your plans. */
            planId: string;
            /** @description How many units, such as seats, where the plan has a `quantity`. Default: as many as now if the plan sells them, else its `min`. */
            quantity?: number;
            /**
             * @description Default: `now` for a plan that costs more a month, else `period_end`. During a trial, a change is always `now`.
             * @enum {string}
             */
            when?: "now" | "period_end";
            /**
             * @description For `now`: whether the rest of the term is credited, and charged at the new price. Default: `credit`. With `none`, the new price applies from the next term on.
             * @enum {string}
             */
            proration?: "credit" | "none";
            /** @description The `quotedAt` of a preview of the last hour: the change does exactly what the preview said. It is a `conflict` if the subscription has changed since. */
            quotedAt?: components["schemas"]["Time"];
        };
        ChangeSubscriptionResponse: {
            subscription: components["schemas"]["ChangedSubscription"];
            change: components["schemas"]["PlanChange"];
            /** @description The payment page of the invoice, if one is due and the application has a payment gateway. */
            checkoutUrl?: string;
        };
        ChangedSubscription: {
            _id: string;
            referenceNumber: string;
            /** @enum {string} */
            status: "trialing" | "active" | "pending" | "past_due" | "cancelled" | "expired" | "paused";
            /** @description When access starts. */
            startDate: components["schemas"]["Time"];
            /** @description The end of the paid term. Before the first term: the end of the trial or, without a trial, the time of creation, because nothing is paid. It stays when the subscription ends before, as after a refund that cancels: `endedAt` is when it ended, and with it the access. */
            endDate: components["schemas"]["Time"];
            trialStart?: components["schemas"]["Time"];
            trialEnd?: components["schemas"]["Time"];
            autoRenew: boolean;
            /** @description How many units, such as seats, where the plan is sold in quantities. */
            quantity?: number;
            /** @description The plan from the end of the term on, if a change is planned. */
            plannedChange?: components["schemas"]["PlannedChange"];
            planId: string;
            cancelAtPeriodEnd?: boolean;
            resumesAt?: components["schemas"]["Time"];
        };
        CheckDeviceRequest: {
            /** @description Identifies the user. Opaque. */
            userId: string;
            signals: {
                /** @description A UUID that the client generated and stores. */
                clientDeviceUUID?: string;
                /** @description The browser's user agent. Defaults to that of the request. */
                userAgent?: string;
                /** @description For example `en-GB`. */
                language?: string;
                /** @description Width x height: `1920x1080`. */
                screenResolution?: string;
                /** @description IANA identifier: `Europe/Berlin`. */
                timezone?: string;
                /** @description For example `Win32`. */
                platform?: string;
            };
        };
        Client: {
            externalId: string;
            email: string;
            name?: string;
            address?: components["schemas"]["Address"];
            vatId?: string;
            metadata?: {
                [key: string]: unknown;
            };
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        ConfirmBankStatementRequest: {
            /**
             * @description Your decisions about entries. A match without a decision is applied.
             * @default []
             */
            entries?: {
                entryId: string;
                /** @description The subscription whose open invoices the entry pays, the oldest first. */
                subscriptionId?: string;
                /** @description The invoice that the entry pays first. */
                invoiceId?: string;
                /** @description The invoices between which the entry is divided, of one client or of several. The amounts add up to that of the entry. */
                invoices?: {
                    invoiceId: string;
                    amount: number;
                }[];
                /** @description The payment that the entry takes back. Only of a `reversal`. */
                paymentId?: string;
                /**
                 * @description `true`: the entry is recorded as its `match` says, as without a decision.
                 * @constant
                 */
                asMatched?: true;
                /**
                 * @description `true`: the entry is recorded as a payment that is `unapplied`, whatever it matches.
                 * @constant
                 */
                unapplied?: true;
                /**
                 * @description `true`: the entry is not recorded as a payment, because it is not for this service.
                 * @constant
                 */
                skip?: true;
            }[];
        };
        ConfirmBankStatementResponse: {
            statement: components["schemas"]["BankStatement"];
        };
        Consent: {
            /** @description A user who consents again makes another consent, with an id of its own. */
            id: string;
            userId: string;
            scopes: string[];
            /** @description When the code was exchanged. */
            grantedAt: components["schemas"]["Time"];
            withdrawnAt?: components["schemas"]["Time"];
            /**
             * @description Who withdrew it: the user on the account page, the application with the revocation endpoint, an operator, or the
             *     detection of a code or refresh token that was used twice.
             * @enum {string}
             */
            by?: "user" | "application" | "operator" | "reuse_detection";
        };
        /** @description A user has granted the application access. */
        ConsentGrantedEvent: {
            id: components["schemas"]["EventId"];
            type: "consent.granted";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Consent"];
        };
        /** @description A consent has ended before it expired, and its tokens with it. */
        ConsentWithdrawnEvent: {
            id: components["schemas"]["EventId"];
            type: "consent.withdrawn";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Consent"];
        };
        CreateApplicationKeyRequest: {
            /**
             * @description `client_secret` authenticates for links and OAuth, `api_key` for subscriptions.
             * @enum {string}
             */
            kind: "client_secret" | "api_key";
            /** @description Days until the key expires. Default: the key is valid until it is revoked. */
            expiresInDays?: number;
        };
        CreateApplicationKeyResponse: {
            keyId: string;
            /** @description The secret itself. Shown only once. */
            secret: string;
        };
        CreateApplicationRequest: {
            /** @description Shown to users on the consent page. */
            name: string;
            /** @description The URIs to which OAuth may redirect users. Compared character for character. */
            redirectUris: string[];
            settings?: components["schemas"]["ApplicationSettingsRequest"];
        };
        CreateApplicationResponse: {
            application: components["schemas"]["Application"];
            /** @description For links and OAuth. Shown only once. */
            clientSecret: string;
            /** @description For subscriptions. Shown only once. */
            apiKey: string;
            /** @description The request succeeded. Each warning names what is left to do. `pkce_required`: Authorization codes of this application need PKCE: requests without a code_challenge of the method S256 (RFC 7636) are refused. The setting pkceOptional lifts this for a confidential client. `banking_missing`: Clients of this application pay by bank transfer, and it has no banking details: invoices, mails and pages do not say to which account. Set settings.banking. `tax_without_rate`: This application has rates of tax, and none for some member states of the European Union: clients there cannot subscribe, unless they owe the tax themselves, and clients who move there are taxed at your own rate. Choose settings.tax.withoutRate. */
            warnings: components["schemas"]["Warning"][];
        };
        CreateBankStatementRequest: {
            /** @enum {string} */
            format: "camt.053" | "csv";
            /** @description The file as Base64: as the bank gave it, or packed with gzip. */
            file: string;
            /** @description How a CSV file is read. Required for `csv`. */
            mapping?: {
                /** @description The names of columns, as the header of the file has them. */
                columns: {
                    /** @description The value date. */
                    date: string;
                    /** @description The amount, with a sign or of credits only: see `amounts`. An entry with a negative or empty amount, or with zero, is counted as a withdrawal. */
                    amount: string;
                    currency?: string;
                    /** @description The remittance information: what the payer wrote. Texts of several columns are joined. */
                    reference?: string[];
                    /** @description The name of the payer. */
                    name?: string;
                    /** @description The account of the payer. */
                    iban?: string;
                    /** @description The bank's id of the entry, if it never changes. */
                    id?: string;
                    /** @description The column of debit and credit. Required where amounts have no sign and are not of credits only. */
                    direction?: string;
                    /** @description The column of statuses. Entries that the bank has not booked are left out. */
                    status?: string;
                };
                /** @description The values of `direction` that are credits, in any case. Each other value is then a withdrawal. Without it: `C`, `CR`, `CRDT`, `Credit`, `Kredit`, `K`, `Bij`, `IN`, `H`, `Haben`. A file with a value that is neither stated nor known is refused. */
                creditValues?: string[];
                /** @description The values of `status` that are booked, in any case, also the empty one. Each other value is then not booked. Without it: `BOOK`, `Booked`, `Completed`, `Posted`, `Gebucht`, `Umsatz gebucht`. A file with a value that is neither stated nor known is refused. */
                bookedValues?: string[];
                /**
                 * @description `credits`: each amount without a minus is a credit, as in a column of credits. `signed`: withdrawals have a minus, and the file must show it, unless `direction` is mapped: see the guide.
                 * @default signed
                 * @enum {string}
                 */
                amounts?: "signed" | "credits";
                /**
                 * @default YYYY-MM-DD
                 * @enum {string}
                 */
                dateFormat?: "YYYY-MM-DD" | "DD.MM.YYYY" | "DD/MM/YYYY" | "MM/DD/YYYY" | "YYYYMMDD";
                /**
                 * @default .
                 * @enum {string}
                 */
                decimalSeparator?: "." | ",";
                /** @description The currency of entries without a value in the column `currency`, as an ISO 4217 code. */
                currency?: string;
                /** @description Your account. Entries of two accounts are two payments, even if they are equal. */
                account?: string;
            };
        };
        CreateBankStatementResponse: {
            statement: components["schemas"]["BankStatement"];
            entries: components["schemas"]["BankStatementEntry"][];
            /** @description Present when there may be further entries. */
            nextCursor?: string;
        };
        CreateBillingLinkRequest: {
            /** @description Whether earlier links stop working. Default: false. */
            replace?: boolean;
        };
        CreateBillingLinkResponse: {
            /** @description The address of the billing page. The token in it is a secret of the subscriber. */
            billingUrl: string;
        };
        CreateOperatorKeyRequest: {
            /** @description The person who uses the key. */
            name: string;
            scopes: ("review" | "support" | "finance" | "admin")[];
            /** @description Days until the key expires. Default: the key is valid until it is revoked. */
            expiresInDays?: number;
        };
        CreateOperatorKeyResponse: {
            keyId: string;
            /** @description The secret itself. Shown only once. */
            secret: string;
        };
        CreatePaymentRequest: {
            /** @description The reference that the payer wrote. Case, spaces and dashes of a reference number are ignored. */
            reference?: string;
            /** @description The `_id` of the invoice that was paid. */
            invoiceId?: string;
            /** @description The `_id` of the subscription that was paid. */
            subscriptionId?: string;
            /** @description The amount received, as a decimal number in the currency. */
            amount: number;
            /** @description The currency, as an ISO 4217 code. */
            currency: string;
            /** @description When the money moved: a date (00:00 UTC of that day) or a time, from the year 2000 on and at most a day ahead. It decides whether the payment is in time. Default: now. */
            valueDate?: string | components["schemas"]["Time"];
            /**
             * @description The payment method. Default: `bank_transfer`.
             * @default bank_transfer
             * @enum {string}
             */
            method?: "bank_transfer" | "card" | "direct_debit" | "cash" | "other";
            /** @description Your id for the payment. A payment is recorded once for each id. Required without an `Idempotency-Key`. */
            paymentId?: string;
            /** @description Who paid, as the bank states it. */
            payer?: {
                name?: string;
                /** @description The IBAN of the payer, without spaces. */
                iban?: string;
            };
        };
        CreatePaymentResponse: {
            payment: components["schemas"]["Payment"];
        };
        CreatePlanRequest: {
            name: string;
            /** @default  */
            description?: string;
            /** @description A decimal amount, with at most as many decimals as the currency has. */
            price: number;
            /** @description ISO 4217 currency code. */
            currency: string;
            /** @enum {string} */
            billingCycle: "weekly" | "monthly" | "quarterly" | "semiannual" | "annual";
            /**
             * @description The subscriptions that a change of `price`, `currency` or `billingCycle` reaches. `next_term`: all, with their next term, and the client gets a mail before it. `new_subscriptions`: those that are sold after the change; the others renew as they were sold, as long as the plan says so.
             * @default next_term
             * @enum {string}
             */
            priceChanges?: "next_term" | "new_subscriptions";
            /**
             * @description Days of the free trial, or 0 for no trial.
             * @default 0
             */
            trialPeriodDays?: number;
            /** @default [] */
            features?: string[];
            /**
             * @description Only active plans can be subscribed to.
             * @default true
             */
            isActive?: boolean;
            /** @description How many units a subscription may have, such as seats. `price` is the price of one. Without it, one is sold. */
            quantity?: {
                min: number;
                max: number;
            };
        };
        CreatePlanResponse: {
            plan: components["schemas"]["Plan"];
            /** @description The request succeeded. Each warning names what is left to do. `pkce_required`: Authorization codes of this application need PKCE: requests without a code_challenge of the method S256 (RFC 7636) are refused. The setting pkceOptional lifts this for a confidential client. `banking_missing`: Clients of this application pay by bank transfer, and it has no banking details: invoices, mails and pages do not say to which account. Set settings.banking. `tax_without_rate`: This application has rates of tax, and none for some member states of the European Union: clients there cannot subscribe, unless they owe the tax themselves, and clients who move there are taxed at your own rate. Choose settings.tax.withoutRate. */
            warnings: components["schemas"]["Warning"][];
        };
        CreateShareRequest: {
            /** @description Base64 AES-256-GCM ciphertext, up to 1 MiB. */
            data_blob: string;
            /**
             * @description Base64 encrypted metadata, up to 4 KiB.
             * @default null
             */
            meta_blob?: string | null;
            /** @description Base64 initialization vector, 1 to 64 bytes. */
            iv: string;
            /**
             * @description Whether the first read deletes the share. `true` by default, without `max_views`; not together with `max_views` above 1.
             * @default true
             */
            one_time?: boolean;
            /**
             * @description Hours until the share expires. Fractions are allowed.
             * @default 24
             */
            expires_in_hours?: number;
            /** @description The SHA-256 of the share proof, in hexadecimal. The share then opens only with the share proof as `x-share-proof`. */
            access_proof?: string;
            /** @description How often the share can be opened. 1 makes a one-time share. */
            max_views?: number;
            /**
             * @description Whether the response has a `receiptToken`. A repeatable share with a receipt can be opened at most 100 times.
             * @default false
             */
            receipt?: boolean;
        };
        CreateShareResponse: {
            /** @constant */
            success: true;
            /** @description Opaque, with 128 random bits. */
            shareId: string;
            expiresAt: components["schemas"]["Time"];
            /** @description Only with `receipt`. Anyone with the token can read the receipt of the share and burn the share. It is returned once. */
            receiptToken?: string;
        };
        CreateSubscriptionRequest: {
            /** @description Your id for the subscriber. */
            externalId: string;
            /** @description The `_id` of one of your plans. */
            planId: string;
            /** @description How many units, such as seats, where the plan has a `quantity`. Default: its `min`. */
            quantity?: number;
            /** @description When access starts, from a day ago to a year ahead. Default: now. */
            startDate?: components["schemas"]["Time"];
            /**
             * @description Whether the subscription renews at the end of each term. Default: true.
             * @default true
             */
            autoRenew?: boolean;
            /** @description Where the subscriber is sent after the payment. Required with a payment gateway, unless the subscription begins with a trial. */
            successUrl?: string;
            /** @description Where the subscriber is sent after leaving the checkout. Required with a payment gateway, unless the subscription begins with a trial. */
            cancelUrl?: string;
        };
        CreateSubscriptionResponse: {
            subscription: components["schemas"]["Subscription"];
            /** @description The payment page. Only with a payment gateway. */
            checkoutUrl?: string;
        };
        CreateTokenRequest: {
            /** @description `authorization_code` or `refresh_token`. */
            grant_type?: string;
            /** @description The authorization code. */
            code?: string;
            /** @description The `redirect_uri` of the authorization request. Required when that request named one. */
            redirect_uri?: string;
            /** @description The PKCE code verifier. */
            code_verifier?: string;
            /** @description The refresh token. */
            refresh_token?: string;
            /** @description With a refresh token: a subset of the granted scopes, for the new access token. */
            scope?: string;
            /** @description The application's id. Required without an `Authorization` header. */
            client_id?: string;
            /** @description The client secret, for `client_secret_post`. */
            client_secret?: string;
        };
        CreateTokenResponse: {
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description The remaining lifetime of the access token, in seconds. */
            expires_in: number;
            refresh_token: string;
            scope: string;
        };
        CreateWebhookRequest: {
            /**
             * Format: uri
             * @description Where events are delivered: an https URL with a public host, on port 443 or one from 1024 on. No user name, no fragment.
             */
            url: string;
            /** @description The types of events that are delivered. `subscription.*` includes all types of a subscription, those that are added later too, and `*` includes all types of the kind of key that the webhook is for. */
            types: string[];
            /**
             * @description A note for yourself. The service does not use it.
             * @default
             */
            description?: string;
            /**
             * @description Events are delivered while it is active. `true` enables a disabled webhook again.
             * @default true
             */
            active?: boolean;
        };
        CreateWebhookResponse: {
            webhook: components["schemas"]["Webhook"];
            /** @description The signing secret (`whsec_...`), as Standard Webhooks defines it. Shown only once. */
            secret: string;
        };
        Credit: {
            /** @description A decimal amount in the currency. */
            amount: number;
            currency: string;
        };
        CreditInvoiceRequest: {
            /** @description The amount to credit, tax included, a decimal amount. Default: all that no credit note has credited yet. */
            amount?: number;
            /** @description Why, in your words. The timeline, the credit note and its mail show it. */
            reason: string;
        };
        CreditInvoiceResponse: {
            creditNote: components["schemas"]["CreditNote"];
        };
        CreditNote: {
            _id: string;
            number: string;
            subscriptionId: string;
            invoiceId: string;
            /** @description The number of the invoice that it corrects. */
            invoice: string;
            /** @enum {string} */
            reason: "refund" | "plan_change" | "correction" | "cancellation";
            currency: string;
            /** @description What is credited, tax included. A positive decimal amount. */
            total: number;
            /** @description The tax in `total`, by rate. */
            taxes?: components["schemas"]["TaxLine"][];
            /** @description The tax in the seller's national currency, for an invoice in another one. */
            nationalTax?: components["schemas"]["NationalTax"];
            /** @description Whether the customer owes the tax. */
            reverseCharge?: boolean;
            issuedAt: components["schemas"]["Time"];
        };
        /** @description A credit note was issued: it corrects an invoice. */
        CreditNoteIssuedEvent: {
            id: components["schemas"]["EventId"];
            type: "credit_note.issued";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["CreditNote"];
        };
        DecideReviewResponse: {
            trustLink: components["schemas"]["Link"];
        };
        DecidedReview: {
            linkId: string;
            applicationId: string;
            userId: string;
            /** @description As it was decided, like `url` and `platform`. */
            title: string;
            url: string;
            platform: string;
            /** @enum {string} */
            decision: "verified" | "rejected" | "withdrawn";
            decidedAt: components["schemas"]["Time"];
            /** @description The revision that the event led to. */
            revision: number;
            by: {
                /** @enum {string} */
                kind: "application" | "user" | "operator";
                /** @description For an operator, the id of their key. */
                id: string;
                /** @description For an operator, the person who uses the key. */
                name?: string;
            };
            reason?: string;
        };
        DeleteLinkResponse: {
            /** @constant */
            success: true;
            deleted: string;
        };
        DeleteWebhookResponse: {
            /** @constant */
            success: true;
            deleted: string;
        };
        Delivery: {
            _id: string;
            webhookId: string;
            eventId: string;
            eventType: string;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            /**
             * @description Why a failed delivery is not attempted again. `exhausted`: all ten attempts failed. `webhook_inactive`: the webhook is not active. `webhook_disabled`: the service disabled it, because it answered 410 or failed for five days. `event_expired`: the event is no longer kept. `webhook_removed`: the webhook was removed.
             * @enum {string}
             */
            reason?: "exhausted" | "webhook_removed" | "webhook_inactive" | "webhook_disabled" | "event_expired";
            /** @description When the change was made. */
            createdAt: components["schemas"]["Time"];
            /** @description Present while the delivery is pending. */
            nextAttemptAt?: components["schemas"]["Time"];
            /** @description The latest 20 attempts, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        DeliveryAttempt: {
            at: components["schemas"]["Time"];
            durationMs: number;
            /** @description The HTTP status. Absent when nothing was answered. */
            status?: number;
            /**
             * @description `timeout`: not answered within 15 seconds. `dns`: the name was not resolved. `refused_address`: an address or port to which nothing is delivered. `connection`: no connection, or it broke. `tls`: no TLS connection, or a certificate that does not verify. `protocol`: the answer was not HTTP. `redirect`: the answer was a redirect, which is not followed.
             * @enum {string}
             */
            error?: "timeout" | "dns" | "refused_address" | "connection" | "tls" | "protocol" | "redirect";
            /** @description The first KB of the answer. */
            body?: string;
        };
        Device: {
            _id: string;
            user_id: string;
            /** @description The device id. */
            device_fingerprint_hash: string;
            device_name: string;
            /** @description `true` for a trusted device, `false` for a quarantined one. */
            is_verified: boolean;
            ip_address: string;
            /** @description City and country, or `Unknown`. */
            location: string;
            isp: string;
            os: string;
            last_used_at: components["schemas"]["Time"];
            created_at: components["schemas"]["Time"];
        };
        DocumentLine: {
            description: string;
            quantity: number;
            /** @description A decimal amount in the currency. */
            amount: number;
        };
        /** @description What the request ended. */
        EndedAccess: {
            devices: boolean;
            proof: boolean;
            vault: boolean;
        };
        Event: components["schemas"]["WebhookEvent"];
        /** @description The same at every attempt, in `webhook-id` and in the list of events. */
        EventId: string;
        /** @description Rises by one with each event of the object. */
        EventSequence: number;
        GetAccountStatementResponse: {
            statement: components["schemas"]["AccountStatement"];
            lines: components["schemas"]["AccountLine"][];
            /** @description Present when there may be more. */
            nextCursor?: string;
        };
        GetApplicationResponse: {
            application: components["schemas"]["Application"];
        };
        GetAuthorizationServerMetadataResponse: {
            issuer: string;
            authorization_endpoint: string;
            token_endpoint: string;
            revocation_endpoint: string;
            service_documentation: string;
            scopes_supported: string[];
            response_types_supported: string[];
            response_modes_supported: string[];
            grant_types_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            revocation_endpoint_auth_methods_supported: string[];
            code_challenge_methods_supported: string[];
            authorization_response_iss_parameter_supported: boolean;
        };
        GetBankStatementResponse: {
            statement: components["schemas"]["BankStatement"];
            entries: components["schemas"]["BankStatementEntry"][];
            /** @description Present when there may be further entries. */
            nextCursor?: string;
        };
        GetCreditNoteResponse: {
            creditNote: components["schemas"]["CreditNote"];
            /** @description The PDF as it was mailed. Absent while no mail had it. */
            document?: {
                /** @description The SHA-256 of the PDF, in hexadecimal: its `Repr-Digest`. */
                sha256: string;
                /** @description The bytes of the PDF. */
                size: number;
            };
        };
        GetCurrentSubscriptionResponse: {
            subscription: components["schemas"]["Subscription"];
        };
        GetEventResponse: {
            event: components["schemas"]["Event"];
        };
        GetHomeResponse: {
            name: string;
            /** @description The API reference, as a page. */
            documentationUrl: string;
            /** @description Guides by job, as pages. */
            guidesUrl: string;
            /** @description The API as an OpenAPI document. */
            openapiUrl: string;
            /** @description The metadata of the OAuth 2.0 authorization server: RFC 8414. */
            authorizationServerUrl: string;
            /** @description The page on which people create and open shares. */
            shareUrl: string;
            /** @description The page on which users see and remove their devices, and the applications that can act for them. */
            accountUrl: string;
        };
        GetInvoiceResponse: {
            invoice: components["schemas"]["Invoice"];
            /** @description The PDF as it was mailed. Absent while no mail had it. */
            document?: {
                /** @description The SHA-256 of the PDF, in hexadecimal: its `Repr-Digest`. */
                sha256: string;
                /** @description The bytes of the PDF. */
                size: number;
            };
        };
        GetLinkResponse: {
            trustLink: components["schemas"]["Link"];
        };
        GetLinkStatusesRequest: {
            /** @description Up to 100 entries. */
            linkIds: string[];
            /** @description Identifies the user. Opaque. */
            userId?: string;
        };
        GetLinkStatusesResponse: {
            /** @constant */
            success: true;
            results: components["schemas"]["LinkStatus"][];
            summary: {
                /** @description The number of distinct ids. */
                total: number;
                verified: number;
                pending: number;
                rejected: number;
                notFound: number;
            };
        };
        GetOpenApiDocumentResponse: {
            [key: string]: unknown;
        };
        GetPaymentResponse: {
            payment: components["schemas"]["Payment"];
        };
        GetPlanResponse: {
            plan: components["schemas"]["Plan"];
        };
        GetReceivablesReportResponse: {
            report: components["schemas"]["ReceivablesReport"];
        };
        GetRevenueReportResponse: {
            report: components["schemas"]["RevenueReport"];
        };
        GetReviewResponse: {
            /** @description Null once the link is removed. Its history stays. */
            trustLink: components["schemas"]["Link"] | null;
            revision: number;
            /** @description Null when there is no record of the user. */
            user: {
                userId: string;
                email?: string;
                name?: string;
                status?: string;
                verified?: boolean;
            } | null;
            /** @description As many as fit in 1 MB, in the order of their platforms. */
            socialAccounts: components["schemas"]["SocialAccountStatus"][];
            /** @description A page of the history, the latest events on the first page. Oldest first. */
            history: components["schemas"]["LinkHistoryEntry"][];
            /** @description Present when there are earlier events. Pass it as `cursor` to get the page before. */
            nextCursor?: string;
        };
        GetSocialAccountStatusesRequest: {
            /** @description Up to 50 entries. */
            platforms: string[];
            /** @description Identifies the user. Opaque. */
            userId?: string;
        };
        GetSocialAccountStatusesResponse: {
            /** @constant */
            success: true;
            results: (components["schemas"]["SocialAccountStatus"] | {
                platform: string;
                /** @constant */
                status: "not_found";
            })[];
            summary: {
                /** @description The number of distinct platforms. */
                total: number;
                verified: number;
                pending: number;
                rejected: number;
                /** @description Accounts that were not checked, and platforms without an account. */
                unverified: number;
            };
        };
        GetSubscriptionResponse: {
            subscription: components["schemas"]["SubscriptionDetails"];
            /** @description Present when there are earlier invoices or entries. Pass it as `cursor` to get the page before. */
            nextCursor?: string;
        };
        GetTaxReportResponse: {
            report: components["schemas"]["TaxReport"];
        };
        GetUserResponse: {
            user: components["schemas"]["User"];
        };
        GetVaultResponse: {
            data_blob: string;
            iv: string;
            /** @description Number of writes of this vault, starting at 1. */
            version: number;
            updated_at: components["schemas"]["Time"];
        };
        GetWebhookResponse: {
            webhook: components["schemas"]["Webhook"];
        };
        GiveUpMailResponse: {
            /** @constant */
            success: true;
        };
        Invoice: {
            _id: string;
            number: string;
            /** @enum {string} */
            status: "open" | "paid" | "void" | "uncollectible" | "refunded";
            subscriptionId: string;
            currency: string;
            /** @description A decimal amount in the currency. */
            total: number;
            /** @description Received by payments, less what was taken back other than by refunds. */
            amountPaid: number;
            /** @description Refunded of these payments at the gateway. */
            amountRefunded: number;
            /** @description Paid from the client's credit. */
            amountFromCredit: number;
            /** @description The part that became credit of the client, and a debt that the invoice asks for beside its total. */
            amountToCredit: number;
            /** @description Credited by credit notes, and what is void. */
            amountCredited: number;
            /** @description Given up: it is uncollectible, or a small amount is missing. */
            amountWrittenOff: number;
            /** @description What is still due of an open invoice, a decimal amount. Otherwise 0. `total` is `amountPaid` - `amountRefunded` + `amountFromCredit` - `amountToCredit` + `amountCredited` + `amountWrittenOff` + `amountDue`. */
            amountDue: number;
            lines: components["schemas"]["DocumentLine"][];
            /**
             * @description Whether the amounts of the lines include the tax. Only with tax.
             * @enum {string}
             */
            pricesInclude?: "inclusive" | "exclusive";
            /** @description The tax in `total`, by rate. */
            taxes?: components["schemas"]["TaxLine"][];
            /** @description The tax in the seller's national currency, for an invoice in another one. */
            nationalTax?: components["schemas"]["NationalTax"];
            /** @description Whether the customer owes the tax. */
            reverseCharge?: boolean;
            /** @description The term that the invoice is for. Absent while it starts with the payment. */
            periodStart?: components["schemas"]["Time"];
            periodEnd?: components["schemas"]["Time"];
            /** @description The reference to quote with a bank transfer. */
            paymentReference: string;
            banking?: components["schemas"]["BankAccount"];
            /** @description The legal seller. Only with the setting `seller`. */
            seller?: components["schemas"]["Party"];
            /** @description As billed. Only with an address or a VAT id. */
            customer?: {
                name?: string;
                email: string;
                address?: components["schemas"]["Address"];
                vatId?: string;
            };
            /** @description The same reference as ISO 11649. Only in EUR, with an IBAN. */
            rfReference?: string;
            issuedAt: components["schemas"]["Time"];
            dueAt: components["schemas"]["Time"];
            paidAt?: components["schemas"]["Time"];
            /** @description Whether a payment of this invoice was reversed. */
            reversed?: boolean;
        };
        /** @description An invoice was issued. */
        InvoiceIssuedEvent: {
            id: components["schemas"]["EventId"];
            type: "invoice.issued";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Invoice"];
        };
        /** @description An invoice was paid, or a payment that was reversed is good again. */
        InvoicePaidEvent: {
            id: components["schemas"]["EventId"];
            type: "invoice.paid";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Invoice"];
        };
        /** @description The payment of an invoice was taken back, or booked elsewhere: the invoice is open again. */
        InvoicePaymentReversedEvent: {
            id: components["schemas"]["EventId"];
            type: "invoice.payment_reversed";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Invoice"];
        };
        /** @description The payment of an invoice was refunded in full. */
        InvoiceRefundedEvent: {
            id: components["schemas"]["EventId"];
            type: "invoice.refunded";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Invoice"];
        };
        /** @description An open invoice was closed after dunning, unpaid. */
        InvoiceUncollectibleEvent: {
            id: components["schemas"]["EventId"];
            type: "invoice.uncollectible";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Invoice"];
        };
        /** @description An invoice was paid or credited in part, or its due date and period have moved. */
        InvoiceUpdatedEvent: {
            id: components["schemas"]["EventId"];
            type: "invoice.updated";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Invoice"];
        };
        /** @description An open invoice was closed: it is no longer owed. */
        InvoiceVoidedEvent: {
            id: components["schemas"]["EventId"];
            type: "invoice.voided";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Invoice"];
        };
        JournalEntry: {
            /** @enum {string} */
            kind: "invoice" | "cancellation" | "credit_note" | "bad_debt" | "write_off" | "payment" | "allocation" | "credit" | "release" | "carry_over" | "refund" | "refund_failed" | "dispute" | "dispute_won" | "reversal" | "pay_out";
            currency: string;
            /** @description The payment whose money moves. */
            paymentId?: string;
            /** @description How the sale is taxed whose revenue moves, or is a bad debt. Absent without tax where the country is unknown. */
            sale?: {
                /**
                 * @description With tax at `percent`, which can be 0.
                 * @constant
                 */
                kind: "standard";
                /** @description The country of the customer. */
                country: string;
                percent: number;
                /** @description For the One Stop Shop. */
                oss: boolean;
                /** @description The tax in the national currency of the seller, with the sign of its posting. */
                nationalTax?: {
                    currency: string;
                    tax: number;
                };
            } | {
                /**
                 * @description `reverse_charge`: the customer owes the tax. `none`: there is no rate.
                 * @enum {string}
                 */
                kind: "reverse_charge" | "none";
                /** @description The country of the customer. */
                country: string;
            };
            /**
             * Format: date
             * @description The day on which the money moved, as its bank or gateway states it. Absent where it is that of booking.
             */
            valueDate?: string;
            /** @description The month of `valueDate`, if it had ended when the entry was booked: the entry is late for it. */
            lateFor?: string;
            /** @description They add up to 0. */
            postings: components["schemas"]["JournalPosting"][];
        };
        JournalPosting: {
            /** @enum {string} */
            account: "bank" | "gateway" | "credit" | "unallocated" | "revenue" | "write_off" | "receivable" | "tax";
            /** @description A debit is above 0, a credit below. */
            amount: number;
            /** @description The number of the invoice of `receivable`. */
            invoice?: string;
            /** @description The country of `tax`. */
            country?: string;
            /** @description The rate of `tax`. */
            percent?: number;
        };
        JournalRecord: {
            _id: string;
            bookedAt: components["schemas"]["Time"];
            /**
             * Format: date
             * @description The day of `bookedAt` in the time zone of the seller.
             */
            day: string;
            /** @description The client. Absent while none is known. */
            externalId?: string;
            subscriptionId?: string;
            entries: components["schemas"]["JournalEntry"][];
        };
        Link: {
            _id: string;
            title: string;
            /** @description As submitted. */
            url: string;
            platform: string;
            description?: string;
            /** @enum {string} */
            verificationStatus: "pending" | "verified" | "rejected";
            createdAt: components["schemas"]["Time"];
            /** @description When the link was reviewed. Absent while it is pending. */
            reviewedAt?: components["schemas"]["Time"];
        };
        LinkHistoryEntry: {
            /** @enum {string} */
            event: "submitted" | "changed" | "verified" | "rejected" | "withdrawn" | "removed";
            /** @description The revision that the event led to. */
            revision: number;
            at: components["schemas"]["Time"];
            by: {
                /** @enum {string} */
                kind: "application" | "user" | "operator";
                /** @description For an operator, the id of their key. */
                id: string;
                /** @description For an operator, the person who uses the key. */
                name?: string;
            };
            reason?: string;
            /** @description The former values of the changed fields. */
            before?: {
                [key: string]: string | null;
            };
        };
        /** @description A link that was reviewed waits for another review: it has changed, or the decision was withdrawn. */
        LinkPendingEvent: {
            id: components["schemas"]["EventId"];
            type: "link.pending";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Link"];
        };
        /** @description A reviewer has rejected a link. */
        LinkRejectedEvent: {
            id: components["schemas"]["EventId"];
            type: "link.rejected";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Link"];
        };
        /** @description A link was removed; `data` is the link as it was last. */
        LinkRemovedEvent: {
            id: components["schemas"]["EventId"];
            type: "link.removed";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Link"];
        };
        LinkStatus: {
            id: string;
            title: string;
            /** @enum {string} */
            status: "pending" | "verified" | "rejected";
            reviewedAt: components["schemas"]["Time"] | null;
        };
        /** @description A reviewer has verified a link. */
        LinkVerifiedEvent: {
            id: components["schemas"]["EventId"];
            type: "link.verified";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Link"];
        };
        ListActionsResponse: {
            actions: components["schemas"]["AuditRecord"][];
            /** @description Present when there may be more. */
            nextCursor?: string;
        };
        ListApplicationsResponse: {
            applications: components["schemas"]["ListedApplication"][];
            /** @description Present when there may be more. */
            nextCursor?: string;
        };
        ListAuditRecordsResponse: {
            history: components["schemas"]["AuditRecord"][];
            /** @description Present when there are earlier actions. Pass it as `cursor` to get the next page. */
            nextCursor?: string;
        };
        ListBankStatementsResponse: {
            statements: components["schemas"]["BankStatement"][];
            /** @description Present when there may be more. */
            nextCursor?: string;
        };
        ListClientsResponse: {
            clients: components["schemas"]["ListedClient"][];
            /** @description Present when there may be more. */
            nextCursor?: string;
        };
        ListCreditNotesResponse: {
            creditNotes: components["schemas"]["ListedCreditNote"][];
            /** @description Present when there may be more. */
            nextCursor?: string;
        };
        ListDecisionsResponse: {
            reviews: components["schemas"]["DecidedReview"][];
            /** @description Present when there may be more. */
            nextCursor?: string;
        };
        ListDeliveriesResponse: {
            deliveries: components["schemas"]["Delivery"][];
            nextCursor?: string;
        };
        ListDevicesResponse: {
            devices: components["schemas"]["Device"][];
        };
        ListEventsResponse: {
            events: components["schemas"]["Event"][];
            /** @description The value of `after` for what follows, now or later. It is always present. */
            nextCursor: string;
            /** @description Whether there may be further events now. */
            hasMore: boolean;
        };
        ListGrantsResponse: {
            grants: components["schemas"]["UserGrant"][];
            /** @description Present when there are more. Pass it as `cursor` to get the next page. */
            nextCursor?: string;
        };
        ListInvoicesResponse: {
            invoices: components["schemas"]["ListedInvoice"][];
            /** @description Present when there may be more. */
            nextCursor?: string;
        };
        ListJournalRecordsResponse: {
            records: components["schemas"]["JournalRecord"][];
            /** @description Present when there may be more. */
            nextCursor?: string;
        };
        ListLinksResponse: {
            trustLinks: components["schemas"]["Link"][];
            /** @description Present when there are more items. Pass it as `cursor` to get the next page. */
            nextCursor?: string;
        };
        ListMailsResponse: {
            mails: components["schemas"]["UndeliveredMail"][];
            /** @description Present when there are more. Pass it as `cursor` to get the next page. */
            nextCursor?: string;
        };
        ListOperatorKeysResponse: {
            keys: components["schemas"]["OperatorKey"][];
        };
        ListPaymentsResponse: {
            payments: components["schemas"]["Payment"][];
            /** @description Present when there may be more. */
            nextCursor?: string;
        };
        ListPlansResponse: {
            plans: components["schemas"]["Plan"][];
            /** @description Present when there are more items. Pass it as `cursor` to get the next page. */
            nextCursor?: string;
        };
        ListReviewsResponse: {
            reviews: components["schemas"]["Review"][];
            /** @description Present when there are more items. Pass it as `cursor` to get the next page. */
            nextCursor?: string;
        };
        ListSubscriptionMailsResponse: {
            mails: components["schemas"]["SubscriptionMail"][];
            /** @description Present when there are more. Pass it as `cursor` to get the next page. */
            nextCursor?: string;
        };
        ListSubscriptionsResponse: {
            subscriptions: components["schemas"]["Subscription"][];
            /** @description Present when there are more items. Pass it as `cursor` to get the next page. */
            nextCursor?: string;
        };
        ListUserHistoryResponse: {
            history: components["schemas"]["AuditRecord"][];
            /** @description Present when there are earlier actions. Pass it as `cursor` to get the next page. */
            nextCursor?: string;
        };
        ListUserLinksResponse: {
            trustLinks: components["schemas"]["Link"][];
            /** @description Present when there may be more. */
            nextCursor?: string;
        };
        ListUsersResponse: {
            users: components["schemas"]["User"][];
            /** @description Present when there may be more. */
            nextCursor?: string;
        };
        ListWebhooksResponse: {
            webhooks: components["schemas"]["Webhook"][];
        };
        ListedApplication: {
            _id: string;
            name: string;
            createdAt: components["schemas"]["Time"];
        };
        ListedClient: {
            externalId: string;
            email: string;
            name?: string;
            address?: components["schemas"]["Address"];
            vatId?: string;
            metadata?: {
                [key: string]: unknown;
            };
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
            /** @description What the next invoices use before they ask for money, by currency. */
            credit: components["schemas"]["Credit"][];
        };
        ListedCreditNote: {
            _id: string;
            number: string;
            subscriptionId: string;
            invoiceId: string;
            /** @description The number of the invoice that it corrects. */
            invoice: string;
            /** @enum {string} */
            reason: "refund" | "plan_change" | "correction" | "cancellation";
            currency: string;
            /** @description What is credited, tax included. A positive decimal amount. */
            total: number;
            /** @description The tax in `total`, by rate. */
            taxes?: components["schemas"]["TaxLine"][];
            /** @description The tax in the seller's national currency, for an invoice in another one. */
            nationalTax?: components["schemas"]["NationalTax"];
            /** @description Whether the customer owes the tax. */
            reverseCharge?: boolean;
            issuedAt: components["schemas"]["Time"];
            externalId: string;
        };
        ListedInvoice: {
            _id: string;
            number: string;
            /** @enum {string} */
            status: "open" | "paid" | "void" | "uncollectible" | "refunded";
            subscriptionId: string;
            currency: string;
            /** @description A decimal amount in the currency. */
            total: number;
            /** @description Received by payments, less what was taken back other than by refunds. */
            amountPaid: number;
            /** @description Refunded of these payments at the gateway. */
            amountRefunded: number;
            /** @description Paid from the client's credit. */
            amountFromCredit: number;
            /** @description The part that became credit of the client, and a debt that the invoice asks for beside its total. */
            amountToCredit: number;
            /** @description Credited by credit notes, and what is void. */
            amountCredited: number;
            /** @description Given up: it is uncollectible, or a small amount is missing. */
            amountWrittenOff: number;
            /** @description What is still due of an open invoice, a decimal amount. Otherwise 0. `total` is `amountPaid` - `amountRefunded` + `amountFromCredit` - `amountToCredit` + `amountCredited` + `amountWrittenOff` + `amountDue`. */
            amountDue: number;
            lines: components["schemas"]["DocumentLine"][];
            /**
             * @description Whether the amounts of the lines include the tax. Only with tax.
             * @enum {string}
             */
            pricesInclude?: "inclusive" | "exclusive";
            /** @description The tax in `total`, by rate. */
            taxes?: components["schemas"]["TaxLine"][];
            /** @description The tax in the seller's national currency, for an invoice in another one. */
            nationalTax?: components["schemas"]["NationalTax"];
            /** @description Whether the customer owes the tax. */
            reverseCharge?: boolean;
            /** @description The term that the invoice is for. Absent while it starts with the payment. */
            periodStart?: components["schemas"]["Time"];
            periodEnd?: components["schemas"]["Time"];
            /** @description The reference to quote with a bank transfer. */
            paymentReference: string;
            banking?: components["schemas"]["BankAccount"];
            /** @description The legal seller. Only with the setting `seller`. */
            seller?: components["schemas"]["Party"];
            /** @description As billed. Only with an address or a VAT id. */
            customer?: {
                name?: string;
                email: string;
                address?: components["schemas"]["Address"];
                vatId?: string;
            };
            /** @description The same reference as ISO 11649. Only in EUR, with an IBAN. */
            rfReference?: string;
            issuedAt: components["schemas"]["Time"];
            dueAt: components["schemas"]["Time"];
            paidAt?: components["schemas"]["Time"];
            /** @description Whether a payment of this invoice was reversed. */
            reversed?: boolean;
            externalId: string;
        };
        MatchCandidate: {
            subscriptionId: string;
            externalId: string;
            /** @description The invoice that the entry names, or whose amount it has. */
            invoiceId?: string;
            invoiceNumber?: string;
            referenceNumber?: string;
            clientName?: string;
            /** @description What is due of the invoice, or of all open invoices without one: a decimal amount in the currency of the entry. */
            amountDue: number;
        };
        NationalTax: {
            currency: string;
            /** @description A decimal amount in the currency. */
            tax: number;
            /** @description The worth of one unit of the currency of the invoice. */
            rate: number;
            /** @description Who published the rate, and when. */
            source: string;
        };
        OpenShareResponse: {
            data_blob: string;
            meta_blob: string | null;
            iv: string;
            created_at: components["schemas"]["Time"];
        };
        OperatorKey: {
            keyId: string;
            name: string;
            scopes: ("review" | "support" | "finance" | "admin")[];
            /** @description The first characters of the secret. */
            hint: string;
            createdAt: components["schemas"]["Time"];
            /** @description The operator key that created it; itself for a key of `npm run operator -- bootstrap`. */
            createdBy: {
                id: string;
                name: string;
            };
            expiresAt?: components["schemas"]["Time"];
        };
        Party: {
            name: string;
            address?: components["schemas"]["Address"];
            vatId?: string;
            registration?: string;
        };
        PauseSubscriptionRequest: {
            /** @description When the subscription resumes, up to a year ahead. Default: when you resume it. */
            resumesAt?: components["schemas"]["Time"];
        };
        PauseSubscriptionResponse: {
            subscription: components["schemas"]["ChangedSubscription"];
        };
        PayOut: {
            payOutId: string;
            externalId: string;
            /** @description The subscription whose timeline shows it. */
            subscriptionId: string;
            /** @description A decimal amount in the currency. */
            amount: number;
            currency: string;
            reason: string;
            /** @description The credit of the client in the currency after it. */
            creditLeft: number;
            recordedAt: components["schemas"]["Time"];
        };
        PayOutCreditRequest: {
            /** @description Your id of the pay-out. It is recorded once for each id. */
            payOutId: string;
            /** @description The amount that you sent, a decimal amount. */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description Why, in your words. The timeline shows it. */
            reason: string;
        };
        PayOutCreditResponse: {
            payOut: components["schemas"]["PayOut"];
        };
        Payment: {
            /** @description Derived from `source` and `sourceId`: a payment is recorded once. */
            _id: string;
            /**
             * @description Who reported the payment.
             * @enum {string}
             */
            source: "stripe" | "sandbox" | "bank" | "application";
            /** @description The id of the payment at its source: a payment intent, an entry of a bank statement, or your own id. */
            sourceId: string;
            /** @enum {string} */
            method: "bank_transfer" | "card" | "direct_debit" | "cash" | "other";
            /** @description A decimal amount in the currency. */
            amount: number;
            currency: string;
            /** @description When the money moved. This date, and not that of the record, decides whether the payment is in time. */
            valueDate: components["schemas"]["Time"];
            /**
             * @description How the amount was used. `processing`: the money has not arrived. `applied`: it paid invoices, and the rest is credit. `partial`: it paid a part of an invoice. `credit`: all of it is credit of the client. `unapplied`: it waits for your decision. `refunded`, `disputed`: the gateway took it back. `returned`: it was sent back, or never arrived.
             * @enum {string}
             */
            status: "processing" | "applied" | "partial" | "credit" | "unapplied" | "refunded" | "disputed" | "returned";
            /** @description The invoices that it paid, in full or in part. */
            applied: components["schemas"]["AppliedPart"][];
            /** @description What became credit of the client. Below 0, the client owes it: you had sent it back when the bank took it. */
            credited: number;
            /** @description What was sent back, or taken back by the gateway. */
            returned: number;
            /** @description What is processing, or waits for your decision. Below 0, it is missing, and no client is known who owes it. */
            waiting: number;
            /**
             * @description Why it waits for a decision.
             * @enum {string}
             */
            unappliedReason?: "unknown_reference" | "subscription_ended" | "currency" | "other_subscription" | "duplicate" | "reallocated";
            /** @description Why you sent it back. */
            returnReason?: string;
            externalId?: string;
            subscriptionId?: string;
            /** @description The invoice that the payer or the gateway named. */
            invoiceId?: string;
            /** @description The reference as the payer typed it. */
            reference?: string;
            payer?: {
                name?: string;
                iban?: string;
            };
            recordedAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        /** @description A payment paid invoices, or a part of one, or became credit of the client. */
        PaymentAppliedEvent: {
            id: components["schemas"]["EventId"];
            type: "payment.applied";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Payment"];
        };
        /** @description A gateway took a payment back. */
        PaymentDisputedEvent: {
            id: components["schemas"]["EventId"];
            type: "payment.disputed";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Payment"];
        };
        /** @description A payment that was under way has failed. */
        PaymentFailedEvent: {
            id: components["schemas"]["EventId"];
            type: "payment.failed";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Payment"];
        };
        /** @description A payment is under way, for example a direct debit: the money has not arrived. */
        PaymentProcessingEvent: {
            id: components["schemas"]["EventId"];
            type: "payment.processing";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Payment"];
        };
        /** @description The money of a payment arrived. */
        PaymentReceivedEvent: {
            id: components["schemas"]["EventId"];
            type: "payment.received";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Payment"];
        };
        /** @description A refund failed at the gateway: its money is back. */
        PaymentRefundFailedEvent: {
            id: components["schemas"]["EventId"];
            type: "payment.refund_failed";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Payment"];
        };
        /** @description A payment was refunded at its gateway, in full or in part. */
        PaymentRefundedEvent: {
            id: components["schemas"]["EventId"];
            type: "payment.refunded";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Payment"];
        };
        /** @description A dispute was won: the money is back. */
        PaymentReinstatedEvent: {
            id: components["schemas"]["EventId"];
            type: "payment.reinstated";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Payment"];
        };
        /** @description What waited of a payment, or was credit, was sent back. */
        PaymentReturnedEvent: {
            id: components["schemas"]["EventId"];
            type: "payment.returned";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Payment"];
        };
        /** @description A payment, or a part of it, waits for your decision: apply it, or send it back. */
        PaymentUnappliedEvent: {
            id: components["schemas"]["EventId"];
            type: "payment.unapplied";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Payment"];
        };
        Plan: {
            _id: string;
            name: string;
            description: string;
            /** @description A decimal amount in the currency. */
            price: number;
            currency: string;
            /** @enum {string} */
            billingCycle: "weekly" | "monthly" | "quarterly" | "semiannual" | "annual";
            /** @enum {string} */
            priceChanges: "next_term" | "new_subscriptions";
            trialPeriodDays: number;
            features: string[];
            isActive: boolean;
            quantity?: {
                min: number;
                max: number;
            };
        };
        PlanChange: {
            /**
             * @description `now`: the plan changes at once. `period_end`: it changes at the end of the term. `undone`: a planned change will not happen. `none`: the subscription has the plan already, and nothing changes.
             * @enum {string}
             */
            effect: "now" | "period_end" | "undone" | "none";
            /** @description The time for which amounts and dates are computed. */
            quotedAt: components["schemas"]["Time"];
            /** @description When the plan changes. */
            effectiveAt: components["schemas"]["Time"];
            planId: string;
            quantity?: number;
            currency: string;
            /** @description The lines of all amounts that are credited (negative) and charged, the renewal invoice included if the change makes it due. Empty when no money moves. */
            lines: components["schemas"]["DocumentLine"][];
            /** @description The total of the invoices less that of the credit notes, tax included. */
            total: number;
            /** @description The amount to pay over all invoices of the change, after the client's credit. */
            amountDue: number;
            /** @description What is added to the client's credit. Negative: what is used of it. */
            creditChange: number;
            /** @description When the first of these invoices is due. */
            dueAt?: components["schemas"]["Time"];
            /** @description The end of the paid term after the change. */
            endDate?: components["schemas"]["Time"];
        };
        PlannedChange: {
            planId: string;
            quantity?: number;
            effectiveAt?: components["schemas"]["Time"];
        };
        PreparingReport: {
            /** @constant */
            status: "preparing";
            /** @description The time of the report. */
            asOf: components["schemas"]["Time"];
            /** @description The records that are counted so far. */
            records: number;
        };
        PreviewSubscriptionChangeRequest: {
            /** @description The `_id` of one of your plans. */
            planId: string;
            /** @description How many units, such as seats, where the plan has a `quantity`. Default: as many as now if the plan sells them, else its `min`. */
            quantity?: number;
            /**
             * @description Default: `now` for a plan that costs more a month, else `period_end`. During a trial, a change is always `now`.
             * @enum {string}
             */
            when?: "now" | "period_end";
            /**
             * @description For `now`: whether the rest of the term is credited, and charged at the new price. Default: `credit`. With `none`, the new price applies from the next term on.
             * @enum {string}
             */
            proration?: "credit" | "none";
            /** @description The `quotedAt` of a preview of the last hour: the change does exactly what the preview said. It is a `conflict` if the subscription has changed since. */
            quotedAt?: components["schemas"]["Time"];
        };
        PreviewSubscriptionChangeResponse: {
            preview: components["schemas"]["PlanChange"];
        };
        ReallocatePaymentRequest: {
            /** @description All invoices that have a part of the payment afterwards. Empty: the whole payment waits. */
            invoices: {
                /** @description The `_id` of the invoice. */
                invoiceId: string;
                /** @description What the invoice has of the payment afterwards, a decimal amount. */
                amount: number;
            }[];
            /** @description Why, in your words. The timelines show it. */
            reason: string;
        };
        ReallocatePaymentResponse: {
            payment: components["schemas"]["Payment"];
        };
        ReceivablesReport: {
            /** @description The time of the amounts. What was booked at this time or later is not in them. */
            at: components["schemas"]["Time"];
            /** @description When the report was begun. */
            asOf: components["schemas"]["Time"];
            /** @description What is outstanding in each currency, by days after the due date. */
            currencies: components["schemas"]["ReceivablesTotals"][];
        };
        ReceivablesTotals: {
            /** @description ISO 4217. */
            currency: string;
            /** @description The sum of the ages. */
            total: number;
            /** @description Not due yet. */
            notDue: number;
            /** @description Overdue for up to 30 days. */
            days1To30: number;
            /** @description Overdue for more than 30 days, up to 60. */
            days31To60: number;
            /** @description Overdue for more than 60 days, up to 90. */
            days61To90: number;
            /** @description Overdue for more than 90 days. */
            over90: number;
        };
        ReceiveStripeEventResponse: {
            /** @constant */
            received: true;
        };
        RedriveMailResponse: {
            /** @constant */
            success: true;
        };
        RedriveMailsResponse: {
            /** @description The number of mails that are due again. */
            redriven: number;
            /** @description Whether more were given up: repeat the request. */
            hasMore: boolean;
        };
        ResetUserRequest: {
            /** @description Ends every trusted device, session and token of the user. */
            devices?: boolean;
            /** @description Ends the proof of the master password; the next vault write of a trusted device sets another one. */
            proof?: boolean;
            /** @description Ends the vault, which is removed for good, with its proof. */
            vault?: boolean;
            /** @description Kept in the history of the user. */
            reason?: string;
        };
        ResetUserResponse: {
            user: components["schemas"]["User"];
            reset: components["schemas"]["EndedAccess"];
        };
        ResumeSubscriptionRequest: Record<string, never>;
        ResumeSubscriptionResponse: {
            subscription: components["schemas"]["ChangedSubscription"];
        };
        RetryDeliveryResponse: {
            delivery: components["schemas"]["Delivery"];
        };
        ReturnPaymentRequest: {
            /** @description Why the payment was sent back, in your words. The payment and the timeline show it. */
            reason?: string;
        };
        ReturnPaymentResponse: {
            payment: components["schemas"]["Payment"];
        };
        RevenueReport: {
            /** @description The start of the period. */
            from: components["schemas"]["Time"];
            /** @description The end of the period, which is not included: at most the time of the report. */
            to: components["schemas"]["Time"];
            /** @description The time of the report. What was created later is not counted. */
            asOf: components["schemas"]["Time"];
            /** @description The amounts in each currency. */
            currencies: components["schemas"]["RevenueTotals"][];
            subscriptions: {
                /** @description Subscriptions that were active or past due at the start of the period. */
                payingAtStart: number;
                /** @description Subscriptions that were paid for the first time. */
                new: number;
                /** @description Subscriptions that resumed or revived. */
                reactivated: number;
                /** @description Subscriptions that ended while active or past due. */
                churned: number;
                /** @description Subscriptions that were active or past due at the end of the period. */
                payingAtEnd: number;
                /** @description `churned` divided by `payingAtStart`. With up to four decimals. Absent when the divisor is 0. */
                churnRate?: number;
            };
            trials: {
                /** @description Trials that began in the period. */
                started: number;
                /** @description Trials that were paid in the period, whenever they began. */
                converted: number;
                /** @description Trials that ended unpaid in the period. */
                lost: number;
                /** @description `converted` divided by the sum of `converted` and `lost`. With up to four decimals. Absent when the divisor is 0. */
                conversionRate?: number;
            };
        };
        RevenueTotals: {
            currency: string;
            /** @description Monthly recurring revenue: the prices of active and past due subscriptions for a month, each rounded half up to the minor unit. A year counts as 52 weeks. */
            recurring: {
                /** @description At the start of the period. */
                start: number;
                /** @description Subscriptions that were paid for the first time. */
                new: number;
                /** @description Changes to higher prices and quantities. */
                expansion: number;
                /** @description Subscriptions that resumed or revived. */
                reactivated: number;
                /** @description Changes to lower prices and quantities: negative. */
                contraction: number;
                /** @description Subscriptions that were paused: negative. */
                paused: number;
                /** @description Subscriptions that ended: negative. */
                churned: number;
                /** @description At the end of the period: the sum of all above. */
                end: number;
            };
            /** @description The totals of invoices that were issued in the period, void ones included. */
            invoiced: number;
            /** @description The totals of credit notes that were issued in the period, without the documents of cancellations. */
            credited: number;
            /** @description What was cancelled in the period of invoices, because they are void. */
            cancelled: number;
            /** @description What was given up in the period of invoices, less what was owed again. */
            writtenOff: number;
            /** @description What payments and credit paid of invoices in the period, less what went back. Over all time, `invoiced` less `credited`, `cancelled`, `writtenOff` and `paid` is `outstanding`. */
            paid: number;
            /** @description Payments that arrived in the period, by value date. */
            received: number;
            /** @description Refunds, disputes and returns in the period. All that was returned of a payment counts at the time of its latest return. */
            returned: number;
            /** @description What is due of open invoices at the time of the report, by the days since the due date. */
            outstanding: components["schemas"]["AmountsByAge"];
        };
        ReversePaymentRequest: {
            /** @description What the bank took back of the payment in all, a decimal amount. Without it, the whole payment. 0 undoes the reversal. */
            amount?: number;
            /** @description Why, in your words. The timeline shows it. */
            reason: string;
        };
        ReversePaymentResponse: {
            payment: components["schemas"]["Payment"];
        };
        ReversedPayment: {
            paymentId: string;
            /** @description Decimal, for example 9.99. */
            amount: number;
            /** Format: date */
            valueDate: string;
            externalId?: string;
            payerName?: string;
        };
        Review: {
            linkId: string;
            applicationId: string;
            userId: string;
            title: string;
            url: string;
            platform: string;
            /** @description Whether the link was verified before and has changed since, or its decision was withdrawn. */
            priority: boolean;
            /** @description When the link entered the queue for this review. */
            submittedAt: components["schemas"]["Time"];
            revision: number;
        };
        RevokeApplicationKeyResponse: {
            /** @constant */
            success: true;
        };
        RevokeDeviceResponse: {
            /** @constant */
            success: true;
        };
        RevokeGrantResponse: {
            /** @constant */
            success: true;
        };
        RevokeOperatorKeyResponse: {
            /** @constant */
            success: true;
        };
        RevokeTokenRequest: {
            /** @description The token to revoke. */
            token?: string;
            /** @description `access_token` or `refresh_token`. Not needed. */
            token_type_hint?: string;
            /** @description The application's id. Required without an `Authorization` header. */
            client_id?: string;
            /** @description The client secret, for `client_secret_post`. */
            client_secret?: string;
        };
        RevokeTokenResponse: Record<string, never>;
        RotateWebhookSecretResponse: {
            /** @description The signing secret (`whsec_...`), as Standard Webhooks defines it. Shown only once. */
            secret: string;
            /** @description Until then deliveries are signed with the former secret as well. */
            formerSecretExpiresAt: components["schemas"]["Time"];
        };
        SearchHit: {
            /** @constant */
            kind: "application";
            id: string;
            applicationId: string;
            /** @description The name, the number or the amount of the record. */
            title: string;
            /** @description Further facts of the record, such as its status, for people. The wording can change. */
            summary: string;
        } | {
            /** @constant */
            kind: "user";
            id: string;
            /** @description The name, the number or the amount of the record. */
            title: string;
            /** @description Further facts of the record, such as its status, for people. The wording can change. */
            summary: string;
        } | {
            /** @constant */
            kind: "client";
            id: string;
            applicationId: string;
            /** @description The name, the number or the amount of the record. */
            title: string;
            /** @description Further facts of the record, such as its status, for people. The wording can change. */
            summary: string;
        } | {
            /** @constant */
            kind: "subscription";
            id: string;
            applicationId: string;
            externalId: string;
            /** @description The name, the number or the amount of the record. */
            title: string;
            /** @description Further facts of the record, such as its status, for people. The wording can change. */
            summary: string;
        } | {
            /** @constant */
            kind: "invoice";
            id: string;
            applicationId: string;
            externalId: string;
            subscriptionId: string;
            /** @description The name, the number or the amount of the record. */
            title: string;
            /** @description Further facts of the record, such as its status, for people. The wording can change. */
            summary: string;
        } | {
            /** @constant */
            kind: "credit_note";
            id: string;
            applicationId: string;
            externalId: string;
            subscriptionId: string;
            /** @description The name, the number or the amount of the record. */
            title: string;
            /** @description Further facts of the record, such as its status, for people. The wording can change. */
            summary: string;
        } | {
            /** @constant */
            kind: "payment";
            id: string;
            applicationId: string;
            /** @description The name, the number or the amount of the record. */
            title: string;
            /** @description Further facts of the record, such as its status, for people. The wording can change. */
            summary: string;
        } | {
            /** @constant */
            kind: "bank_statement";
            id: string;
            applicationId: string;
            /** @description The name, the number or the amount of the record. */
            title: string;
            /** @description Further facts of the record, such as its status, for people. The wording can change. */
            summary: string;
        } | {
            /** @constant */
            kind: "plan";
            id: string;
            applicationId: string;
            /** @description The name, the number or the amount of the record. */
            title: string;
            /** @description Further facts of the record, such as its status, for people. The wording can change. */
            summary: string;
        } | {
            /** @constant */
            kind: "link";
            id: string;
            applicationId: string;
            userId: string;
            /** @description The name, the number or the amount of the record. */
            title: string;
            /** @description Further facts of the record, such as its status, for people. The wording can change. */
            summary: string;
        } | {
            /** @constant */
            kind: "webhook";
            id: string;
            applicationId: string;
            /** @description The name, the number or the amount of the record. */
            title: string;
            /** @description Further facts of the record, such as its status, for people. The wording can change. */
            summary: string;
        } | {
            /** @constant */
            kind: "event";
            id: string;
            applicationId: string;
            /** @description The name, the number or the amount of the record. */
            title: string;
            /** @description Further facts of the record, such as its status, for people. The wording can change. */
            summary: string;
        } | {
            /** @constant */
            kind: "operator_key";
            id: string;
            /** @description The name, the number or the amount of the record. */
            title: string;
            /** @description Further facts of the record, such as its status, for people. The wording can change. */
            summary: string;
        };
        SearchRecordsResponse: {
            hits: components["schemas"]["SearchHit"][];
        };
        SendDeviceCodeRequest: {
            email: string;
        };
        SendDeviceCodeResponse: {
            /** @constant */
            success: true;
            message: string;
        };
        SendEnrolmentLinkResponse: {
            /** @description The address that the link was mailed to. */
            email: string;
            expiresAt: components["schemas"]["Time"];
        };
        ShareReceipt: {
            /**
             * @description `stored`: not opened yet. `opened`: opened at least once. `expired`: never opened. `burned`: burned while it could be opened.
             * @enum {string}
             */
            status: "stored" | "opened" | "expired" | "burned";
            /** @description How often the share was opened. */
            views: number;
            /** @description How often the share can be opened. */
            max_views: number;
            /** @description The time of the first view. Null before it. */
            first_opened_at: components["schemas"]["Time"] | null;
            /** @description The time of the last view so far. Null before the first. */
            last_opened_at: components["schemas"]["Time"] | null;
            created_at: components["schemas"]["Time"];
            expires_at: components["schemas"]["Time"];
            /** @description Null unless the share was burned. */
            burned_at: components["schemas"]["Time"] | null;
        };
        SocialAccount: {
            id: string;
            platform: string;
            username: string;
            url: string;
            verified: boolean;
            /** @enum {string} */
            verificationStatus: "pending" | "verified" | "rejected" | "unverified";
            isPrimary: boolean;
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        SocialAccountStatus: {
            id: string;
            platform: string;
            username: string;
            url: string;
            verified: boolean;
            verificationStatus: string;
            isPrimary: boolean;
        };
        SubmitAccountPageRequest: {
            /** @description The anti-forgery token of the form. */
            form?: string;
            /** @description `send`, `resend`, `sign-in`, `switch`, `remove`, `keep`, `remove-all`, `withdraw`, `sign-out` or `sign-out-everywhere`. */
            step?: string;
            /** @description The e-mail address to sign in with. */
            email?: string;
            /** @description The code from the e-mail. */
            code?: string;
            /** @description The id of the device to remove, or to keep while all others are removed. */
            device?: string;
            /** @description The id of the application to withdraw. */
            application?: string;
            /** @description The id of the user to show, among those of the address. */
            user?: string;
        };
        SubmitBillingPageRequest: {
            /** @enum {string} */
            action: "cancel" | "undo" | "rename" | "replace-link" | "mail";
            /** @description For `cancel`: the end of the period that the page showed. With another one nothing is cancelled. */
            periodEnd?: string;
            /** @description For `rename`. */
            name?: string;
        };
        SubmitCheckoutPageRequest: {
            /** @enum {string} */
            action: "pay" | "decline" | "cancel" | "reverse";
        };
        SubmitConsentPageRequest: {
            /** @description The application's id. */
            client_id?: string;
            /** @description Where the response is sent. Must equal a registered URI, character for character. Optional when exactly one URI is registered. */
            redirect_uri?: string;
            /** @description `code`, the default. */
            response_type?: string;
            /** @description One or more of `profile` (the default), `trust_links:write` and `vault`, separated by spaces. */
            scope?: string;
            /** @description An opaque value that the response repeats. At most 2,000 characters. */
            state?: string;
            /** @description The PKCE code challenge. Required, unless the application is confidential and has set `pkceOptional`. */
            code_challenge?: string;
            /** @description `S256`. */
            code_challenge_method?: string;
            /** @description The anti-forgery token of the form. */
            form?: string;
            /** @description `send`, `resend`, `sign-in`, `allow`, `deny` or `switch`. */
            step?: string;
            /** @description The e-mail address to sign in with. */
            email?: string;
            /** @description The code from the e-mail. */
            code?: string;
            /** @description Without PKCE: identifies the form, so that a repeated submission is recognized. */
            ticket?: string;
        };
        SubmitConsoleMoneyPageRequest: {
            /** @description The id of the payment. */
            payment: string;
            /** @description The id of an invoice that the page suggests. */
            candidate?: string;
            /** @description The id of another invoice, in place of the suggested one. */
            invoiceId?: string;
            /** @description The anti-forgery token of the form. */
            form?: string;
            /** @description Why, for the record of the action. */
            reason: string;
        };
        SubmitConsoleReviewsPageRequest: {
            /** @description The anti-forgery token of the form. */
            form?: string;
        };
        SubmitConsoleSignInPageRequest: {
            /** @description The anti-forgery token of the form. */
            form?: string;
            /** @description The operator key. */
            key?: string;
            /** @description The page of the console to show then. */
            next?: string;
        };
        SubmitConsoleSignOutRequest: {
            /** @description The anti-forgery token of the form. */
            form?: string;
        };
        SubmitConsoleStatementsPageRequest: {
            /** @description The anti-forgery token of the form. */
            form?: string;
            /** @enum {string} */
            format: "camt.053" | "csv";
            /**
             * Format: binary
             * @description The file, as the bank gave it, or packed with gzip.
             */
            file: string;
            /** @description Of a CSV file: the column of the value date. */
            date?: string;
            /** @description The column of the amount. */
            amount?: string;
            /** @description The column of the currency. */
            currencyColumn?: string;
            /** @description The columns of what the payer wrote, separated by semicolons. */
            reference?: string;
            /** @description The column of the name of the payer. */
            name?: string;
            /** @description The column of the account of the payer. */
            iban?: string;
            /** @description The column of the bank's id of the entry. */
            id?: string;
            /** @description The column of debit and credit. */
            direction?: string;
            /** @description Its values that are credits, separated by semicolons. */
            creditValues?: string;
            /** @description Whether withdrawals have a sign, or all amounts are credits. */
            amounts?: ("signed" | "credits") | "";
            /** @description The currency where there is no column. */
            currency?: string;
            /** @description The account that the file is of. */
            account?: string;
            /** @description How dates are written. */
            dateFormat?: ("YYYY-MM-DD" | "DD.MM.YYYY" | "DD/MM/YYYY" | "MM/DD/YYYY" | "YYYYMMDD") | "";
            /** @description The decimal separator. */
            decimalSeparator?: ("." | ",") | "";
        };
        SubmitLinksRequest: {
            /** @description Up to 50 entries. */
            links: {
                title: string;
                /** Format: uri */
                url: string;
                /** @description A label of your choice. */
                platform: string;
                description?: string;
            }[];
            /** @description Rejects a request with more links than this. At most 50. */
            limit?: number;
            /** @description Identifies the user. Opaque. */
            userId?: string;
        };
        SubmitLinksResponse: {
            /** @constant */
            success: true;
            trustLinks: components["schemas"]["Link"][];
        };
        Subscription: {
            _id: string;
            referenceNumber: string;
            /** @enum {string} */
            status: "trialing" | "active" | "pending" | "past_due" | "cancelled" | "expired" | "paused";
            /** @description When access starts. */
            startDate: components["schemas"]["Time"];
            /** @description The end of the paid term. Before the first term: the end of the trial or, without a trial, the time of creation, because nothing is paid. It stays when the subscription ends before, as after a refund that cancels: `endedAt` is when it ended, and with it the access. */
            endDate: components["schemas"]["Time"];
            trialStart?: components["schemas"]["Time"];
            trialEnd?: components["schemas"]["Time"];
            autoRenew: boolean;
            /** @description How many units, such as seats, where the plan is sold in quantities. */
            quantity?: number;
            /** @description The plan from the end of the term on, if a change is planned. */
            plannedChange?: components["schemas"]["PlannedChange"];
            /** @description The plan as it was sold. The response to the creation has its id alone: the plan may have changed since. */
            planId: components["schemas"]["SubscriptionPlan"] | string;
            externalId: string;
            entitled: boolean;
            /**
             * @description Computed from the dates. `grace` is full access while a payment is overdue.
             * @enum {string}
             */
            access: "full" | "grace" | "restricted" | "none";
            /** @description Start of the paid term. */
            termStart?: components["schemas"]["Time"];
            cancelAtPeriodEnd: boolean;
            pausedAt?: components["schemas"]["Time"];
            resumesAt?: components["schemas"]["Time"];
            /** @description When the subscription ended, and with it the access. It can be before `endDate`. Absent while it has not ended. */
            endedAt?: components["schemas"]["Time"];
            /** @enum {string} */
            endReason?: "cancelled" | "period_over" | "superseded" | "replaced" | "trial_over" | "unpaid" | "not_renewed";
            createdAt: components["schemas"]["Time"];
        };
        /** @description The first term is paid or free, or a subscription that had expired is active again. */
        SubscriptionActivatedEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.activated";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        /** @description A subscription was set to cancel at the end of its trial or term. */
        SubscriptionCancellationScheduledEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.cancellation_scheduled";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        /** @description A subscription is no longer set to cancel at the end of its trial or term. */
        SubscriptionCancellationUndoneEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.cancellation_undone";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        /** @description A subscription was cancelled; one that had expired keeps its `endedAt` and its `endReason`. */
        SubscriptionCancelledEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.cancelled";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        /** @description A subscription was created: on trial, or pending its first payment. */
        SubscriptionCreatedEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.created";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        SubscriptionDetails: {
            _id: string;
            referenceNumber: string;
            /** @enum {string} */
            status: "trialing" | "active" | "pending" | "past_due" | "cancelled" | "expired" | "paused";
            /** @description When access starts. */
            startDate: components["schemas"]["Time"];
            /** @description The end of the paid term. Before the first term: the end of the trial or, without a trial, the time of creation, because nothing is paid. It stays when the subscription ends before, as after a refund that cancels: `endedAt` is when it ended, and with it the access. */
            endDate: components["schemas"]["Time"];
            trialStart?: components["schemas"]["Time"];
            trialEnd?: components["schemas"]["Time"];
            autoRenew: boolean;
            /** @description How many units, such as seats, where the plan is sold in quantities. */
            quantity?: number;
            /** @description The plan from the end of the term on, if a change is planned. */
            plannedChange?: components["schemas"]["PlannedChange"];
            /** @description The plan as it was sold. The response to the creation has its id alone: the plan may have changed since. */
            planId: components["schemas"]["SubscriptionPlan"] | string;
            externalId: string;
            entitled: boolean;
            /**
             * @description Computed from the dates. `grace` is full access while a payment is overdue.
             * @enum {string}
             */
            access: "full" | "grace" | "restricted" | "none";
            /** @description Start of the paid term. */
            termStart?: components["schemas"]["Time"];
            cancelAtPeriodEnd: boolean;
            pausedAt?: components["schemas"]["Time"];
            resumesAt?: components["schemas"]["Time"];
            /** @description When the subscription ended, and with it the access. It can be before `endDate`. Absent while it has not ended. */
            endedAt?: components["schemas"]["Time"];
            /** @enum {string} */
            endReason?: "cancelled" | "period_over" | "superseded" | "replaced" | "trial_over" | "unpaid" | "not_renewed";
            createdAt: components["schemas"]["Time"];
            /** @description A page of the invoices, the latest on the first page. In order of their numbers. */
            invoices: components["schemas"]["Invoice"][];
            /** @description A page of the timeline, the latest entries on the first page. Oldest first. */
            timeline: components["schemas"]["TimelineEntry"][];
            /** @description The latest 100 credit notes, on the first page. Absent without any. */
            creditNotes?: components["schemas"]["CreditNote"][];
        };
        /** @description A subscription ended without a payment, or without a renewal: `endReason` says which. */
        SubscriptionExpiredEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.expired";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        SubscriptionMail: {
            _id: string;
            /** @description The template of the mail. */
            kind: string;
            /** @description The address of the client when the mail was written. */
            to: string;
            /** @description When the change was made that the mail is about. */
            createdAt: components["schemas"]["Time"];
            /** @description All tries, refused ones included. */
            attempts: number;
            /**
             * @description It is sent within minutes, or tried again.
             * @constant
             */
            status: "due";
        } | {
            _id: string;
            /** @description The template of the mail. */
            kind: string;
            /** @description The address of the client when the mail was written. */
            to: string;
            /** @description When the change was made that the mail is about. */
            createdAt: components["schemas"]["Time"];
            /** @description All tries, refused ones included. */
            attempts: number;
            /**
             * @description It waits for the next day.
             * @constant
             */
            status: "held";
            /** @description When it is tried again. */
            heldUntil: components["schemas"]["Time"];
            /**
             * @description Whose quota of the day is used up: that of mails to its recipient, or that of all mails of the application.
             * @enum {string}
             */
            heldBy: "recipient" | "application";
        } | {
            _id: string;
            /** @description The template of the mail. */
            kind: string;
            /** @description The address of the client when the mail was written. */
            to: string;
            /** @description When the change was made that the mail is about. */
            createdAt: components["schemas"]["Time"];
            /** @description All tries, refused ones included. */
            attempts: number;
            /** @constant */
            status: "sent";
            sentAt: components["schemas"]["Time"];
        } | {
            _id: string;
            /** @description The template of the mail. */
            kind: string;
            /** @description The address of the client when the mail was written. */
            to: string;
            /** @description When the change was made that the mail is about. */
            createdAt: components["schemas"]["Time"];
            /** @description All tries, refused ones included. */
            attempts: number;
            /**
             * @description It was not needed any more, or a later mail replaces it.
             * @constant
             */
            status: "dropped";
            droppedAt: components["schemas"]["Time"];
        } | {
            _id: string;
            /** @description The template of the mail. */
            kind: string;
            /** @description The address of the client when the mail was written. */
            to: string;
            /** @description When the change was made that the mail is about. */
            createdAt: components["schemas"]["Time"];
            /** @description All tries, refused ones included. */
            attempts: number;
            /**
             * @description It is not tried again.
             * @constant
             */
            status: "given_up";
            givenUpAt: components["schemas"]["Time"];
            /** @description The name of the last error; `GivenUpByOperator` when an operator did it. */
            failure: string;
        };
        /** @description A payment is overdue: a term ended unpaid, or a payment was reversed. */
        SubscriptionPastDueEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.past_due";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        /** @description A subscription was paused. */
        SubscriptionPausedEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.paused";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        SubscriptionPlan: {
            _id: string;
            name: string;
            /** @description A decimal amount in the currency. */
            price: number;
            currency: string;
            /** @enum {string} */
            billingCycle: "weekly" | "monthly" | "quarterly" | "semiannual" | "annual";
            /** @description The features of the plan when it was sold. */
            features: string[];
        };
        /** @description A change of plan or quantity is planned for the end of the term. */
        SubscriptionPlanChangeScheduledEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.plan_change_scheduled";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        /** @description The plan stays after the end of the term: a planned change will not happen. */
        SubscriptionPlanChangeUndoneEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.plan_change_undone";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        /** @description Another plan or quantity applies: it was changed at once, or a new term begins with the planned change. */
        SubscriptionPlanChangedEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.plan_changed";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        /** @description A subscription that was past due is active again. */
        SubscriptionRecoveredEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.recovered";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        /** @description A further term is paid: `endDate` has moved. */
        SubscriptionRenewedEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.renewed";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        /** @description A paused subscription was resumed, and `endDate` has moved by the duration of the pause. */
        SubscriptionResumedEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.resumed";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        /** @description The application extended a trial: `trialEnd` has moved. */
        SubscriptionTrialExtendedEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.trial_extended";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        /** @description A trial will end soon; unless the plan is free, the invoice of the first term was issued. */
        SubscriptionTrialWillEndEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.trial_will_end";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        /** @description The application granted days, or switched `autoRenew`. */
        SubscriptionUpdatedEvent: {
            id: components["schemas"]["EventId"];
            type: "subscription.updated";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Subscription"];
        };
        TaxLine: {
            name: string;
            country: string;
            percent: number;
            /** @description A decimal amount in the currency. */
            taxable: number;
            /** @description A decimal amount in the currency. */
            tax: number;
            exemption?: string;
        };
        TaxReport: {
            /** @description The start of the period. */
            from: components["schemas"]["Time"];
            /** @description The end of the period, which is not included. */
            to: components["schemas"]["Time"];
            /** @description In which days begin. */
            timeZone: string;
            /** @description The time of the report. */
            asOf: components["schemas"]["Time"];
            /** @description By country, kind and rate. */
            rows: components["schemas"]["TaxReportRow"][];
        };
        TaxReportRow: {
            /** @description Of the customers. Absent where it is unknown. */
            country?: string;
            /**
             * @description `standard`: taxed at `percent`. `none`: no rate was set for the country.
             * @enum {string}
             */
            kind: "standard" | "reverse_charge" | "none";
            /** @description The rate of `standard`, in per cent. */
            percent?: number;
            /** @description For the One Stop Shop: taxed in a member state of the European Union other than the seller's, without a VAT id. */
            oss: boolean;
            /** @description Given up of uncollectible invoices, less what was paid of it since: the amounts are usually below 0, and reduce those of sales (Directive 2006/112/EC, Article 90). Not with the setting `tax.badDebts: keep`. */
            badDebt: boolean;
            /** @description ISO 4217. */
            currency: string;
            /** @description The sales without tax. */
            net: number;
            /** @description The tax. */
            tax: number;
            /** @description The sum of `net` and `tax`. */
            gross: number;
            /** @description In the national currency of the seller, as invoices state it. */
            nationalTax?: {
                currency: string;
                tax: number;
            };
        };
        TestWebhookResponse: {
            /** @description The event `webhook.test`, which only this webhook receives. */
            eventId: string;
            deliveryId: string;
        };
        /**
         * Format: date-time
         * @description A time: ISO 8601.
         */
        Time: string;
        TimelineEntry: {
            at: components["schemas"]["Time"];
            event: string;
            /** @enum {string} */
            by: "application" | "timer" | "gateway" | "subscriber";
            /** @enum {string} */
            from?: "trialing" | "active" | "pending" | "past_due" | "cancelled" | "expired" | "paused";
            /** @enum {string} */
            to: "trialing" | "active" | "pending" | "past_due" | "cancelled" | "expired" | "paused";
            /** @description Numbers of the invoices that the event issued or updated. */
            invoices?: string[];
            /** @description Numbers of the credit notes that the event issued. */
            creditNotes?: string[];
            /** @description The payment that the event is about, with its whole amount. */
            payment?: {
                _id: string;
                /** @description A decimal amount in the currency. */
                amount: number;
                currency: string;
            };
            /** @description The credit that you sent back. */
            paidOut?: {
                /** @description A decimal amount in the currency. */
                amount: number;
                currency: string;
            };
            /** @description Why the application changed it, in its words. */
            reason?: string;
            /** @description A payment that could not be applied, for example because it was a duplicate. Apply it, or send it back. */
            unapplied?: {
                invoice?: string;
                paymentId: string;
            };
        };
        TrustDeviceRequest: {
            /** @description Identifies the user. Opaque. */
            userId: string;
            userEmail: string;
            /** @description The value that device-check returned. */
            deviceId: string;
            /** @description Six digits. Separators are ignored, and digits of any script are taken. */
            code: string;
            /**
             * @description The public key of the device, a JWK (RFC 7517) for P-256. Each vault call of the device then requires a DPoP
             *     proof of that key. Without it the response has a `deviceToken`.
             */
            devicePublicKey?: {
                /** @constant */
                kty: "EC";
                /** @constant */
                crv: "P-256";
                x: string;
                y: string;
                d?: unknown;
            };
            /**
             * @description Whether the device has to present its `deviceToken` from its first call on. Without it, it has to once it has
             *     presented it. Set it, unless the client knows no device tokens.
             * @default false
             */
            deviceTokenRequired?: boolean;
        };
        TrustDeviceResponse: {
            /** @constant */
            success: true;
            /**
             * @description The proof of possession of the device, shown once. Send it as `x-device-token` on vault calls. Absent when the
             *     request has a `devicePublicKey`.
             */
            deviceToken?: string;
        };
        UncancelSubscriptionRequest: Record<string, never>;
        UncancelSubscriptionResponse: {
            subscription: components["schemas"]["ChangedSubscription"];
        };
        UndeliveredMail: {
            _id: string;
            applicationId: string;
            subscriptionId: string;
            /** @description The template of the mail, or `close_checkout`. */
            kind: string;
            createdAt: components["schemas"]["Time"];
            /** @description All tries, refused ones included. */
            attempts: number;
            /** @description Tries after which SES may have accepted the mail. */
            possibleCopies: number;
            /**
             * @description It is not tried again.
             * @constant
             */
            status: "given_up";
            givenUpAt: components["schemas"]["Time"];
            /** @description The name of the last error; `GivenUpByOperator` when an operator did it. */
            failure: string;
        } | {
            _id: string;
            applicationId: string;
            subscriptionId: string;
            /** @description The template of the mail, or `close_checkout`. */
            kind: string;
            createdAt: components["schemas"]["Time"];
            /** @description All tries, refused ones included. */
            attempts: number;
            /** @description Tries after which SES may have accepted the mail. */
            possibleCopies: number;
            /**
             * @description It waits for the next day.
             * @constant
             */
            status: "held";
            /** @description When it is tried again. */
            heldUntil: components["schemas"]["Time"];
            /**
             * @description Whose quota of the day is used up: that of mails to its recipient, or that of all mails of the application.
             * @enum {string}
             */
            heldBy: "recipient" | "application";
        };
        UpdateApplicationRequest: {
            /** @description Shown to users on the consent page. */
            name?: string;
            /** @description The URIs to which OAuth may redirect users. Compared character for character. */
            redirectUris?: string[];
            /** @description A JSON Merge Patch (RFC 7396) of the settings: a setting that is absent keeps its value, `null` removes one, an object is merged, and an array replaces the former one. The result is checked as a whole, by the rules for a new application. */
            settings?: {
                [key: string]: unknown;
            };
        };
        UpdateApplicationResponse: {
            application: components["schemas"]["Application"];
            /** @description The request succeeded. Each warning names what is left to do. `pkce_required`: Authorization codes of this application need PKCE: requests without a code_challenge of the method S256 (RFC 7636) are refused. The setting pkceOptional lifts this for a confidential client. `banking_missing`: Clients of this application pay by bank transfer, and it has no banking details: invoices, mails and pages do not say to which account. Set settings.banking. `tax_without_rate`: This application has rates of tax, and none for some member states of the European Union: clients there cannot subscribe, unless they owe the tax themselves, and clients who move there are taxed at your own rate. Choose settings.tax.withoutRate. */
            warnings: components["schemas"]["Warning"][];
        };
        UpdateLinkRequest: {
            title?: string;
            /** Format: uri */
            url?: string;
            /** @description A label of your choice. */
            platform?: string;
            /** @description An empty text removes the description. */
            description?: string;
            /** @description Identifies the user. Opaque. */
            userId?: string;
        };
        UpdateLinkResponse: {
            /** @constant */
            success: true;
            trustLink: {
                _id: string;
                title: string;
                /** @enum {string} */
                verificationStatus: "pending" | "verified" | "rejected";
            };
        };
        UpdatePlanRequest: {
            name?: string;
            description?: string;
            /** @description A decimal amount, with at most as many decimals as the currency has. */
            price?: number;
            /** @description ISO 4217 currency code. */
            currency?: string;
            /** @enum {string} */
            billingCycle?: "weekly" | "monthly" | "quarterly" | "semiannual" | "annual";
            /**
             * @description The subscriptions that a change of `price`, `currency` or `billingCycle` reaches. `next_term`: all, with their next term, and the client gets a mail before it. `new_subscriptions`: those that are sold after the change; the others renew as they were sold, as long as the plan says so.
             * @enum {string}
             */
            priceChanges?: "next_term" | "new_subscriptions";
            /** @description Days of the free trial, or 0 for no trial. */
            trialPeriodDays?: number;
            features?: string[];
            /** @description Only active plans can be subscribed to. */
            isActive?: boolean;
            /** @description How many units a subscription may have, such as seats. `price` is the price of one. Without it, one is sold. */
            quantity?: {
                min: number;
                max: number;
            };
        };
        UpdatePlanResponse: {
            plan: components["schemas"]["Plan"];
        };
        UpdateSubscriptionRequest: {
            /** @description The new end of the trial: later than the present one, by up to 366 days. */
            trialEnd?: components["schemas"]["Time"];
            /** @description The new end of the paid term: later than the present one, by up to 366 days. */
            endDate?: components["schemas"]["Time"];
            /** @description Whether the subscription renews at the end of each term. */
            autoRenew?: boolean;
            /** @description Why, for the timeline. The subscriber does not see it. */
            reason: string;
        };
        UpdateSubscriptionResponse: {
            subscription: components["schemas"]["ChangedSubscription"];
        };
        UpdateWebhookRequest: {
            /**
             * Format: uri
             * @description Where events are delivered: an https URL with a public host, on port 443 or one from 1024 on. No user name, no fragment.
             */
            url?: string;
            /** @description The types of events that are delivered. `subscription.*` includes all types of a subscription, those that are added later too, and `*` includes all types of the kind of key that the webhook is for. */
            types?: string[];
            /** @description A note for yourself. The service does not use it. */
            description?: string;
            /** @description Events are delivered while it is active. `true` enables a disabled webhook again. */
            active?: boolean;
        };
        UpdateWebhookResponse: {
            webhook: components["schemas"]["Webhook"];
        };
        UpsertClientRequest: {
            /** @description Your id for the subscriber. */
            externalId: string;
            email: string;
            name?: string;
            /** @description The full address, for invoices. Its country decides the tax. */
            address?: {
                /** @description Street and number, or a post-office box. */
                line1: string;
                /** @description Building, floor or department. */
                line2?: string;
                /** @description Postal code. */
                postalCode?: string;
                /** @description City or town. */
                city: string;
                /** @description State, province or region. */
                region?: string;
                /** @description ISO 3166-1 alpha-2. */
                country: string;
            };
            /** @description VAT identification number, with the prefix of its country. */
            vatId?: string;
            /** @description A JSON object of up to 50 keys and 4 KB. It is stored and returned unchanged. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        UpsertClientResponse: {
            client: components["schemas"]["Client"];
        };
        UpsertSocialAccountRequest: {
            /** @description Identifies the account on the platform. Compared regardless of case. */
            username: string;
            /** Format: uri */
            url: string;
            verified: boolean;
            /** @enum {string} */
            verificationStatus: "pending" | "verified" | "rejected" | "unverified";
            /**
             * @description Whether this is the primary account on the platform. The former one becomes secondary.
             * @default false
             */
            isPrimary?: boolean;
        };
        UpsertSocialAccountResponse: {
            socialAccount: components["schemas"]["SocialAccount"];
        };
        UpsertUserRequest: {
            /** @description Unique among users. */
            email: string;
            name: string;
            /** @enum {string} */
            status: "active" | "suspended";
            /** @description Links may be submitted for users who are active and verified. */
            verified: boolean;
        };
        UpsertUserResponse: {
            user: components["schemas"]["User"];
        };
        User: {
            userId: string;
            email: string;
            /** @description Absent, like `status`, until an operator sets it. */
            name?: string;
            /** @enum {string} */
            status?: "active" | "suspended";
            verified: boolean;
            createdAt?: components["schemas"]["Time"];
            updatedAt?: components["schemas"]["Time"];
        };
        UserGrant: {
            id: string;
            applicationId: string;
            applicationName: string;
            scopes: string[];
            createdAt: components["schemas"]["Time"];
            /** @description When tokens were last issued: at the consent, or at the last use of the refresh token. */
            lastUsedAt: components["schemas"]["Time"];
        };
        Warning: {
            /** @enum {string} */
            code: "pkce_required" | "banking_missing" | "tax_without_rate";
            message: string;
        };
        Webhook: {
            _id: string;
            /**
             * @description The kind of key that the webhook is for. Only this kind manages it, and it takes the events of its services.
             * @enum {string}
             */
            keyKind: "api_key" | "client_secret";
            url: string;
            types: string[];
            description: string;
            /** @description Events are delivered while it is active. */
            active: boolean;
            /** @description Why the service disabled it. `active: true` in an update enables it again. */
            disabled?: {
                /**
                 * @description `gone`: it answered 410. `failing`: every attempt failed for five days.
                 * @enum {string}
                 */
                reason: "gone" | "failing";
                at: components["schemas"]["Time"];
            };
            /** @description Since when every attempt has failed. After five days it is disabled. */
            failingSince?: components["schemas"]["Time"];
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        /** @description A webhook was disabled, because it answered 410 or failed for five days. */
        WebhookDisabledEvent: {
            id: components["schemas"]["EventId"];
            type: "webhook.disabled";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Webhook"];
        };
        WebhookEvent: components["schemas"]["SubscriptionCreatedEvent"] | components["schemas"]["SubscriptionTrialWillEndEvent"] | components["schemas"]["SubscriptionTrialExtendedEvent"] | components["schemas"]["SubscriptionActivatedEvent"] | components["schemas"]["SubscriptionRenewedEvent"] | components["schemas"]["SubscriptionPastDueEvent"] | components["schemas"]["SubscriptionRecoveredEvent"] | components["schemas"]["SubscriptionPausedEvent"] | components["schemas"]["SubscriptionResumedEvent"] | components["schemas"]["SubscriptionCancellationScheduledEvent"] | components["schemas"]["SubscriptionCancellationUndoneEvent"] | components["schemas"]["SubscriptionPlanChangedEvent"] | components["schemas"]["SubscriptionPlanChangeScheduledEvent"] | components["schemas"]["SubscriptionPlanChangeUndoneEvent"] | components["schemas"]["SubscriptionUpdatedEvent"] | components["schemas"]["SubscriptionCancelledEvent"] | components["schemas"]["SubscriptionExpiredEvent"] | components["schemas"]["InvoiceIssuedEvent"] | components["schemas"]["InvoiceUpdatedEvent"] | components["schemas"]["InvoicePaidEvent"] | components["schemas"]["InvoiceVoidedEvent"] | components["schemas"]["InvoiceUncollectibleEvent"] | components["schemas"]["InvoicePaymentReversedEvent"] | components["schemas"]["InvoiceRefundedEvent"] | components["schemas"]["CreditNoteIssuedEvent"] | components["schemas"]["PaymentProcessingEvent"] | components["schemas"]["PaymentReceivedEvent"] | components["schemas"]["PaymentAppliedEvent"] | components["schemas"]["PaymentUnappliedEvent"] | components["schemas"]["PaymentRefundedEvent"] | components["schemas"]["PaymentRefundFailedEvent"] | components["schemas"]["PaymentDisputedEvent"] | components["schemas"]["PaymentReinstatedEvent"] | components["schemas"]["PaymentReturnedEvent"] | components["schemas"]["PaymentFailedEvent"] | components["schemas"]["LinkVerifiedEvent"] | components["schemas"]["LinkRejectedEvent"] | components["schemas"]["LinkPendingEvent"] | components["schemas"]["LinkRemovedEvent"] | components["schemas"]["ConsentGrantedEvent"] | components["schemas"]["ConsentWithdrawnEvent"] | components["schemas"]["WebhookDisabledEvent"] | components["schemas"]["WebhookTestEvent"];
        /** @description A test of a webhook was requested, which only this webhook receives. */
        WebhookTestEvent: {
            id: components["schemas"]["EventId"];
            type: "webhook.test";
            createdAt: components["schemas"]["Time"];
            sequence: components["schemas"]["EventSequence"];
            data: components["schemas"]["Webhook"];
        };
        WriteVaultRequest: {
            /** @description Identifies the user. Optional with an access token. */
            userId?: string;
            /** @description Base64 ciphertext, up to 3 MiB. */
            data_blob: string;
            /** @description Base64 initialization vector, 1 to 64 bytes. */
            iv: string;
            /**
             * @description The version that you last read. 0 or absent for a new vault.
             * @default 0
             */
            version?: number;
            /** @description The proof of a new master password. It replaces the one in `x-auth-hash`. */
            new_auth_hash?: string;
        };
        WriteVaultResponse: {
            /** @constant */
            success: true;
            /** @description Number of writes of this vault, starting at 1. */
            version: number;
            updated_at: components["schemas"]["Time"];
        };
        Operations: {
            /** @description Stores a secret that the client has encrypted, to be opened with a link. `POST /api/share` */
            createShare: {
                input: components["schemas"]["CreateShareRequest"];
                output: {
                    "application/json": components["schemas"]["CreateShareResponse"];
                };
            };
            /** @description Opens a share. A one-time share is deleted. `GET /api/share` */
            openShare: {
                input: {
                    /** @description The `shareId` of the created share. */
                    id: string;
                };
                output: {
                    "application/json": components["schemas"]["OpenShareResponse"];
                };
            };
            /** @description Burns a share, so that nobody can open it, and returns its receipt. `DELETE /api/share` */
            burnShare: {
                input: {
                    /** @description The `shareId` of the created share. */
                    id: string;
                };
                output: {
                    "application/json": components["schemas"]["ShareReceipt"];
                };
            };
            /** @description Returns the receipt of a share: whether, when and how often it was opened. `GET /api/share/receipt` */
            getShareReceipt: {
                input: {
                    /** @description The `shareId` of the created share. */
                    id: string;
                };
                output: {
                    "application/json": components["schemas"]["ShareReceipt"];
                };
            };
            /** @description Checks whether a device is trusted. An unknown device is quarantined until a code is verified. `POST /api/auth/device-check` */
            checkDevice: {
                input: components["schemas"]["CheckDeviceRequest"];
                output: {
                    "application/json": {
                        /** @constant */
                        verified: true;
                        /** @description Send it as `x-device-id`, and as `deviceId` to verify a code. */
                        deviceId: string;
                        message: string;
                    } | {
                        /** @constant */
                        verified: false;
                        /** @description Send it as `x-device-id`, and as `deviceId` to verify a code. */
                        deviceId: string;
                        reason: string;
                        /** @constant */
                        requiresMfa: true;
                    };
                };
            };
            /** @description Sends a 6-digit code by e-mail. The code is valid for five minutes. `POST /api/auth/mfa/send` */
            sendDeviceCode: {
                input: components["schemas"]["SendDeviceCodeRequest"];
                output: {
                    "application/json": components["schemas"]["SendDeviceCodeResponse"];
                };
            };
            /** @description Trusts a quarantined device after verifying the mailed code. `POST /api/auth/mfa/verify` */
            trustDevice: {
                input: components["schemas"]["TrustDeviceRequest"];
                output: {
                    "application/json": components["schemas"]["TrustDeviceResponse"];
                };
            };
            /** @description Lists a user's devices, most recent activity first. `GET /api/devices` */
            listDevices: {
                input: {
                    /** @description Identifies the user. Opaque. */
                    userId: string;
                };
                output: {
                    "application/json": components["schemas"]["ListDevicesResponse"];
                };
            };
            /** @description Removes a device. Its next vault call is refused. `DELETE /api/devices` */
            revokeDevice: {
                input: {
                    /** @description Identifies the user. Opaque. */
                    userId: string;
                    /** @description A `device_fingerprint_hash` from the list. */
                    deviceHash: string;
                };
                output: {
                    "application/json": components["schemas"]["RevokeDeviceResponse"];
                };
            };
            /** @description Retrieves the encrypted vault. `GET /api/vault` */
            getVault: {
                input: {
                    /** @description Identifies the user. Optional with an access token. */
                    userId?: string;
                };
                output: {
                    "application/json": components["schemas"]["GetVaultResponse"];
                };
            };
            /** @description Replaces the encrypted vault atomically. `POST /api/vault` */
            writeVault: {
                input: components["schemas"]["WriteVaultRequest"];
                output: {
                    "application/json": components["schemas"]["WriteVaultResponse"];
                };
            };
            /** @description Submits links for review, all or none. `POST /api/trust-links` */
            submitLinks: {
                input: components["schemas"]["SubmitLinksRequest"];
                output: {
                    "application/json": components["schemas"]["SubmitLinksResponse"];
                };
            };
            /** @description Lists the links that the application submitted for a user, newest first. `GET /api/trust-links` */
            listLinks: {
                input: {
                    /** @enum {string} */
                    status?: "pending" | "verified" | "rejected";
                    /** @description The maximum number of items, 1 to 200. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                    /** @description Identifies the user. Opaque. */
                    userId?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListLinksResponse"];
                };
            };
            /** @description Retrieves a link. `GET /api/trust-links/{id}` */
            getLink: {
                input: {
                    id: string;
                    /** @description Identifies the user. Opaque. */
                    userId?: string;
                };
                output: {
                    "application/json": components["schemas"]["GetLinkResponse"];
                };
            };
            /** @description Updates a link and returns it to the review queue. `PUT /api/trust-links/{id}` */
            updateLink: {
                input: {
                    id: string;
                } & components["schemas"]["UpdateLinkRequest"];
                output: {
                    "application/json": components["schemas"]["UpdateLinkResponse"];
                };
            };
            /** @description Removes a link permanently. `DELETE /api/trust-links/{id}` */
            deleteLink: {
                input: {
                    id: string;
                    /** @description Identifies the user. Opaque. */
                    userId?: string;
                };
                output: {
                    "application/json": components["schemas"]["DeleteLinkResponse"];
                };
            };
            /** @description Retrieves the review status of up to 100 links. `POST /api/trust-links/verify` */
            getLinkStatuses: {
                input: components["schemas"]["GetLinkStatusesRequest"];
                output: {
                    "application/json": components["schemas"]["GetLinkStatusesResponse"];
                };
            };
            /** @description Retrieves the status of the user's accounts on up to 50 platforms. `POST /api/social-accounts/verify` */
            getSocialAccountStatuses: {
                input: components["schemas"]["GetSocialAccountStatusesRequest"];
                output: {
                    "application/json": components["schemas"]["GetSocialAccountStatusesResponse"];
                };
            };
            /** @description Lists the links in the review queue: priority first, then the longest waiting. `GET /api/operator/reviews` */
            listReviews: {
                input: {
                    /** @description The maximum number of items, 1 to 200. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListReviewsResponse"];
                };
            };
            /** @description Retrieves a link with its history and the user that it was submitted for. `GET /api/operator/reviews/{linkId}` */
            getReview: {
                input: {
                    linkId: string;
                    /** @description The maximum number of items, 1 to 200. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["GetReviewResponse"];
                };
            };
            /** @description Verifies or rejects a link at the revision that was reviewed, or withdraws that decision. `POST /api/operator/reviews/{linkId}` */
            decideReview: {
                input: {
                    linkId: string;
                } & ({
                    /** @enum {string} */
                    decision: "verified" | "rejected";
                    /** @description Why, for the history. */
                    reason?: string;
                    /** @description The `revision` that was reviewed. The request fails if the link has changed since. */
                    revision: number;
                } | {
                    /**
                     * @description A verified or rejected link is pending again, with priority, and its application receives `link.pending`.
                     * @constant
                     */
                    decision: "withdrawn";
                    /** @description Why, for the history. */
                    reason: string;
                    /** @description The `revision` that was reviewed. The request fails if the link has changed since. */
                    revision: number;
                });
                output: {
                    "application/json": components["schemas"]["DecideReviewResponse"];
                };
            };
            /** @description Lists the decisions of reviewers, newest first. `GET /api/operator/reviews/decided` */
            listDecisions: {
                input: {
                    /**
                     * @description Only these decisions.
                     * @enum {string}
                     */
                    decision?: "verified" | "rejected" | "withdrawn";
                    /** @description Only decisions with the operator key of this id, or by the person of this name. */
                    reviewer?: string;
                    /** @description The first day or time, by the decision. Days are those of UTC. */
                    from?: string;
                    /** @description The last day, which is included; or a time, which is not. By the decision. */
                    to?: string;
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListDecisionsResponse"];
                    "text/csv": string;
                };
            };
            /** @description Lists the links that an application submitted for a user, newest first. `GET /api/operator/users/{userId}/links` */
            listUserLinks: {
                input: {
                    /** @description Identifies the user. Opaque. */
                    userId: string;
                    /** @description The application that submitted the links. */
                    applicationId: string;
                    /**
                     * @description Only links with this status.
                     * @enum {string}
                     */
                    status?: "pending" | "verified" | "rejected";
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListUserLinksResponse"];
                    "text/csv": string;
                };
            };
            /** @description Issues tokens for an authorization code or a refresh token. `POST /api/oauth/token` */
            createToken: {
                input: components["schemas"]["CreateTokenRequest"];
                output: {
                    "application/json": components["schemas"]["CreateTokenResponse"];
                };
            };
            /** @description Revokes a token: RFC 7009. `POST /api/oauth/revoke` */
            revokeToken: {
                input: components["schemas"]["RevokeTokenRequest"];
                output: {
                    "application/json": components["schemas"]["RevokeTokenResponse"];
                };
            };
            /** @description Describes the authorization server: RFC 8414. `GET /.well-known/oauth-authorization-server` */
            getAuthorizationServerMetadata: {
                input: Record<string, never>;
                output: {
                    "application/json": components["schemas"]["GetAuthorizationServerMetadataResponse"];
                };
            };
            /** @description Lists the plans of the application. `GET /plans` */
            listPlans: {
                input: {
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListPlansResponse"];
                };
            };
            /** @description Creates a plan for an application. `POST /api/operator/applications/{id}/plans` */
            createPlan: {
                input: {
                    /** @description The `_id` of the application. */
                    id: string;
                } & components["schemas"]["CreatePlanRequest"];
                output: {
                    "application/json": components["schemas"]["CreatePlanResponse"];
                };
            };
            /** @description Retrieves a plan. `GET /api/operator/applications/{id}/plans/{planId}` */
            getPlan: {
                input: {
                    /** @description The `_id` of the application. */
                    id: string;
                    planId: string;
                };
                output: {
                    "application/json": components["schemas"]["GetPlanResponse"];
                };
            };
            /** @description Updates a plan. Omitted fields keep their values. `PUT /api/operator/applications/{id}/plans/{planId}` */
            updatePlan: {
                input: {
                    /** @description The `_id` of the application. */
                    id: string;
                    planId: string;
                } & components["schemas"]["UpdatePlanRequest"];
                output: {
                    "application/json": components["schemas"]["UpdatePlanResponse"];
                };
            };
            /** @description Registers a client, or updates one. `POST /clients` */
            upsertClient: {
                input: components["schemas"]["UpsertClientRequest"];
                output: {
                    "application/json": components["schemas"]["UpsertClientResponse"];
                };
            };
            /** @description Lists the clients of the application, with their credit. `GET /api/v1/clients` */
            listClients: {
                input: {
                    /** @description The first day or time, by the first registration. Days are those of the time zone of the seller (setting `timeZone`). */
                    from?: string;
                    /** @description The last day, which is included; or a time, which is not. By the first registration. */
                    to?: string;
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListClientsResponse"];
                    "text/csv": string;
                };
            };
            /** @description Subscribes a client to a plan. `POST /subscriptions` */
            createSubscription: {
                input: components["schemas"]["CreateSubscriptionRequest"];
                output: {
                    "application/json": components["schemas"]["CreateSubscriptionResponse"];
                };
            };
            /** @description Retrieves a client's running subscription, or the newest one, with its entitlement. `GET /subscriptions/current` */
            getCurrentSubscription: {
                input: {
                    /** @description Your id for the subscriber. */
                    externalId: string;
                };
                output: {
                    "application/json": components["schemas"]["GetCurrentSubscriptionResponse"];
                };
            };
            /** @description Lists the subscriptions of the application or of a client, or finds one by its reference number. `GET /api/v1/subscriptions` */
            listSubscriptions: {
                input: {
                    /** @description Your id of the client: only the subscriptions of this client. */
                    externalId?: string;
                    /** @description As typed by the subscriber: case, spaces and dashes are ignored. */
                    referenceNumber?: string;
                    /** @description Only records with one of these statuses, separated by commas. Default: all. */
                    status?: string;
                    /** @description Only records of this plan. Pages can be shorter: see the description. */
                    planId?: string;
                    /** @description The first day or time, by the creation. Days are those of the time zone of the seller (setting `timeZone`). */
                    from?: string;
                    /** @description The last day, which is included; or a time, which is not. By the creation. */
                    to?: string;
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListSubscriptionsResponse"];
                    "text/csv": string;
                };
            };
            /** @description Retrieves a subscription with its invoices and its timeline. `GET /api/v1/subscriptions/{id}` */
            getSubscription: {
                input: {
                    id: string;
                    /** @description The maximum number of timeline entries, and of invoices up to 500. Default: 2,000, and 500 invoices. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["GetSubscriptionResponse"];
                };
            };
            /** @description Cancels a subscription, immediately or at the end of the period. `POST /api/v1/subscriptions/{id}` */
            cancelSubscription: {
                input: {
                    id: string;
                } & components["schemas"]["CancelSubscriptionRequest"];
                output: {
                    "application/json": components["schemas"]["CancelSubscriptionResponse"];
                };
            };
            /** @description Extends a trial, grants days, or switches automatic renewal. `PATCH /api/v1/subscriptions/{id}` */
            updateSubscription: {
                input: {
                    id: string;
                } & components["schemas"]["UpdateSubscriptionRequest"];
                output: {
                    "application/json": components["schemas"]["UpdateSubscriptionResponse"];
                };
            };
            /** @description Pauses an active subscription and keeps the remainder of its term. `POST /api/v1/subscriptions/{id}/pause` */
            pauseSubscription: {
                input: {
                    id: string;
                } & components["schemas"]["PauseSubscriptionRequest"];
                output: {
                    "application/json": components["schemas"]["PauseSubscriptionResponse"];
                };
            };
            /** @description Resumes a paused subscription and extends its term by the duration of the pause. `POST /api/v1/subscriptions/{id}/resume` */
            resumeSubscription: {
                input: {
                    id: string;
                } & components["schemas"]["ResumeSubscriptionRequest"];
                output: {
                    "application/json": components["schemas"]["ResumeSubscriptionResponse"];
                };
            };
            /** @description Undoes a cancellation that is scheduled for the end of the period. `POST /api/v1/subscriptions/{id}/uncancel` */
            uncancelSubscription: {
                input: {
                    id: string;
                } & components["schemas"]["UncancelSubscriptionRequest"];
                output: {
                    "application/json": components["schemas"]["UncancelSubscriptionResponse"];
                };
            };
            /** @description Changes the plan of a subscription, or its quantity, at once or at the end of the term. `POST /api/v1/subscriptions/{id}/change` */
            changeSubscription: {
                input: {
                    id: string;
                } & components["schemas"]["ChangeSubscriptionRequest"];
                output: {
                    "application/json": components["schemas"]["ChangeSubscriptionResponse"];
                };
            };
            /** @description Previews a change of plan: its amounts and dates. Nothing is changed. `POST /api/v1/subscriptions/{id}/change/preview` */
            previewSubscriptionChange: {
                input: {
                    id: string;
                } & components["schemas"]["PreviewSubscriptionChangeRequest"];
                output: {
                    "application/json": components["schemas"]["PreviewSubscriptionChangeResponse"];
                };
            };
            /** @description Issues a credit note for an invoice, in whole or in part. `POST /api/v1/invoices/{id}/credit-notes` */
            creditInvoice: {
                input: {
                    id: string;
                } & components["schemas"]["CreditInvoiceRequest"];
                output: {
                    "application/json": components["schemas"]["CreditInvoiceResponse"];
                };
            };
            /** @description Retrieves an invoice as JSON, HTML or PDF, depending on `Accept`. `GET /api/v1/invoices/{id}` */
            getInvoice: {
                input: {
                    id: string;
                };
                output: {
                    "application/json": components["schemas"]["GetInvoiceResponse"];
                    "text/html": string;
                    "application/pdf": string;
                };
            };
            /** @description Retrieves a credit note as JSON, HTML or PDF, depending on `Accept`. `GET /api/v1/credit-notes/{id}` */
            getCreditNote: {
                input: {
                    id: string;
                };
                output: {
                    "application/json": components["schemas"]["GetCreditNoteResponse"];
                    "text/html": string;
                    "application/pdf": string;
                };
            };
            /** @description Lists the invoices of the application. `GET /api/v1/invoices` */
            listInvoices: {
                input: {
                    /** @description Only records with one of these statuses, separated by commas. Default: all. */
                    status?: string;
                    /**
                     * @description `true`: only open invoices whose due date has passed.
                     * @constant
                     */
                    overdue?: "true";
                    /** @description Only the invoices of this client. Pages can be shorter: see the description. */
                    externalId?: string;
                    /** @description Only records of this plan. Pages can be shorter: see the description. */
                    planId?: string;
                    /** @description The first day or time, by the date of issue. Days are those of the time zone of the seller (setting `timeZone`). */
                    from?: string;
                    /** @description The last day, which is included; or a time, which is not. By the date of issue. */
                    to?: string;
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListInvoicesResponse"];
                    "text/csv": string;
                };
            };
            /** @description Lists the credit notes of the application. `GET /api/v1/credit-notes` */
            listCreditNotes: {
                input: {
                    /**
                     * @description Only credit notes that were issued for this reason.
                     * @enum {string}
                     */
                    reason?: "refund" | "plan_change" | "correction" | "cancellation";
                    /** @description Only the credit notes of this client. Pages can be shorter: see the description. */
                    externalId?: string;
                    /** @description The first day or time, by the date of issue. Days are those of the time zone of the seller (setting `timeZone`). */
                    from?: string;
                    /** @description The last day, which is included; or a time, which is not. By the date of issue. */
                    to?: string;
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListCreditNotesResponse"];
                    "text/csv": string;
                };
            };
            /** @description Records a payment that was made outside a gateway. `POST /api/v1/subscriptions/{id}/activate` */
            activateSubscription: {
                input: {
                    id: string;
                } & components["schemas"]["ActivateSubscriptionRequest"];
                output: {
                    "application/json": components["schemas"]["ActivateSubscriptionResponse"];
                };
            };
            /** @description Records a payment that was made outside a gateway, and applies it. `POST /api/v1/payments` */
            createPayment: {
                input: components["schemas"]["CreatePaymentRequest"];
                output: {
                    "application/json": components["schemas"]["CreatePaymentResponse"];
                };
            };
            /** @description Lists the payments of the application. `GET /api/v1/payments` */
            listPayments: {
                input: {
                    /** @description Only records with one of these statuses, separated by commas. Default: all. */
                    status?: string;
                    /**
                     * @description `true`: only payments of which something waits for a decision.
                     * @constant
                     */
                    unapplied?: "true";
                    /** @description Only the payments of this client. Pages can be shorter: see the description. */
                    externalId?: string;
                    /** @description The first day or time, by the time at which they were recorded. Days are those of the time zone of the seller (setting `timeZone`). */
                    from?: string;
                    /** @description The last day, which is included; or a time, which is not. By the time at which they were recorded. */
                    to?: string;
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListPaymentsResponse"];
                    "text/csv": string;
                };
            };
            /** @description Retrieves a payment, with its status and how its amount was used. `GET /api/v1/payments/{id}` */
            getPayment: {
                input: {
                    id: string;
                };
                output: {
                    "application/json": components["schemas"]["GetPaymentResponse"];
                };
            };
            /** @description Applies an unapplied payment to an invoice, or to the open invoices of a subscription. `POST /api/v1/payments/{id}/apply` */
            applyPayment: {
                input: {
                    id: string;
                } & components["schemas"]["ApplyPaymentRequest"];
                output: {
                    "application/json": components["schemas"]["ApplyPaymentResponse"];
                };
            };
            /** @description Records a refund: a payment that you sent back. `POST /api/v1/payments/{id}/return` */
            returnPayment: {
                input: {
                    id: string;
                } & components["schemas"]["ReturnPaymentRequest"];
                output: {
                    "application/json": components["schemas"]["ReturnPaymentResponse"];
                };
            };
            /** @description Records that the bank took a payment back. `POST /api/v1/payments/{id}/reverse` */
            reversePayment: {
                input: {
                    id: string;
                } & components["schemas"]["ReversePaymentRequest"];
                output: {
                    "application/json": components["schemas"]["ReversePaymentResponse"];
                };
            };
            /** @description Moves the money of a payment to other invoices. `POST /api/v1/payments/{id}/reallocate` */
            reallocatePayment: {
                input: {
                    id: string;
                } & components["schemas"]["ReallocatePaymentRequest"];
                output: {
                    "application/json": components["schemas"]["ReallocatePaymentResponse"];
                };
            };
            /** @description Records that you sent credit back to a client. `POST /api/v1/clients/{externalId}/credit/pay-out` */
            payOutCredit: {
                input: {
                    /** @description Your id for the subscriber. */
                    externalId: string;
                } & components["schemas"]["PayOutCreditRequest"];
                output: {
                    "application/json": components["schemas"]["PayOutCreditResponse"];
                };
            };
            /** @description Returns the link to the billing page of a subscription, or replaces it. `POST /api/v1/subscriptions/{id}/billing-link` */
            createBillingLink: {
                input: {
                    id: string;
                } & components["schemas"]["CreateBillingLinkRequest"];
                output: {
                    "application/json": components["schemas"]["CreateBillingLinkResponse"];
                };
            };
            /** @description Creates a dry run of a bank statement: it shows which subscription each entry pays. `POST /api/v1/bank-statements` */
            createBankStatement: {
                input: components["schemas"]["CreateBankStatementRequest"];
                output: {
                    "application/json": components["schemas"]["CreateBankStatementResponse"];
                };
            };
            /** @description Lists the bank statements of the application. `GET /api/v1/bank-statements` */
            listBankStatements: {
                input: {
                    /** @description The first day or time, by the creation. Days are those of the time zone of the seller (setting `timeZone`). */
                    from?: string;
                    /** @description The last day, which is included; or a time, which is not. By the creation. */
                    to?: string;
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListBankStatementsResponse"];
                    "text/csv": string;
                };
            };
            /** @description Retrieves a bank statement, its progress and its entries. `GET /api/v1/bank-statements/{id}` */
            getBankStatement: {
                input: {
                    /** @description The `_id` of the statement. */
                    id: string;
                    /**
                     * @description Only entries with this match.
                     * @enum {string}
                     */
                    match?: "matched" | "suggested" | "unknown" | "duplicate" | "reversal";
                    /** @description The maximum number of entries. Default: 50. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["GetBankStatementResponse"];
                };
            };
            /** @description Confirms a bank statement: its entries are recorded as payments. `POST /api/v1/bank-statements/{id}/confirm` */
            confirmBankStatement: {
                input: {
                    /** @description The `_id` of the statement. */
                    id: string;
                } & components["schemas"]["ConfirmBankStatementRequest"];
                output: {
                    "application/json": components["schemas"]["ConfirmBankStatementResponse"];
                };
            };
            /** @description Lists the entries of the ledger, for accounting. `GET /api/v1/journal` */
            listJournalRecords: {
                input: {
                    /**
                     * @description `hledger`: transactions of hledger. `datev`: a batch of postings for DATEV. Absent: JSON, or CSV if `Accept` prefers `text/csv`.
                     * @enum {string}
                     */
                    format?: "hledger" | "datev";
                    /** @description The first day or time, by the time of booking. Days are those of the time zone of the seller (setting `timeZone`). */
                    from?: string;
                    /** @description The last day, which is included; or a time, which is not. By the time of booking. */
                    to?: string;
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListJournalRecordsResponse"];
                    "text/csv": string;
                    "text/plain": string;
                };
            };
            /** @description Returns a client's account statement. `GET /api/v1/clients/{externalId}/statement` */
            getAccountStatement: {
                input: {
                    /** @description Your id for the subscriber. */
                    externalId: string;
                    /** @description The first day or time, by the time of booking. Days are those of the time zone of the seller (setting `timeZone`). */
                    from?: string;
                    /** @description The last day, which is included; or a time, which is not. By the time of booking. */
                    to?: string;
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["GetAccountStatementResponse"];
                    "text/csv": string;
                };
            };
            /** @description Reports what clients owe at a time, by currency and age. `GET /api/v1/reports/receivables` */
            getReceivablesReport: {
                input: {
                    /** @description A day, which means its end in the setting `timeZone`, or a time. Not in the future. Default: now. */
                    at?: string;
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["GetReceivablesReportResponse"] | components["schemas"]["PreparingReport"];
                    "text/csv": string;
                };
            };
            /** @description Reports recurring revenue, trials, churn, revenue and what is outstanding. `GET /api/v1/reports/revenue` */
            getRevenueReport: {
                input: {
                    /** @description The first day or time, by the events that are counted. Days are those of the time zone of the seller (setting `timeZone`). */
                    from?: string;
                    /** @description The last day, which is included; or a time, which is not. By the events that are counted. */
                    to?: string;
                };
                output: {
                    "application/json": components["schemas"]["GetRevenueReportResponse"] | components["schemas"]["PreparingReport"];
                };
            };
            /** @description Reports the tax of sales by country, kind and rate. `GET /api/v1/reports/tax` */
            getTaxReport: {
                input: {
                    /** @description The first day or time, by the time of booking. Days are those of the time zone of the seller (setting `timeZone`). */
                    from?: string;
                    /** @description The last day, which is included; or a time, which is not. By the time of booking. */
                    to?: string;
                };
                output: {
                    "application/json": components["schemas"]["GetTaxReportResponse"] | components["schemas"]["PreparingReport"];
                    "text/csv": string;
                };
            };
            /** @description Creates a webhook. `POST /api/v1/webhooks` */
            createWebhook: {
                input: components["schemas"]["CreateWebhookRequest"];
                output: {
                    "application/json": components["schemas"]["CreateWebhookResponse"];
                };
            };
            /** @description Lists the webhooks of the application. `GET /api/v1/webhooks` */
            listWebhooks: {
                input: Record<string, never>;
                output: {
                    "application/json": components["schemas"]["ListWebhooksResponse"];
                };
            };
            /** @description Retrieves a webhook. `GET /api/v1/webhooks/{id}` */
            getWebhook: {
                input: {
                    /** @description The `_id` of the webhook. */
                    id: string;
                };
                output: {
                    "application/json": components["schemas"]["GetWebhookResponse"];
                };
            };
            /** @description Updates a webhook. `PUT /api/v1/webhooks/{id}` */
            updateWebhook: {
                input: {
                    /** @description The `_id` of the webhook. */
                    id: string;
                } & components["schemas"]["UpdateWebhookRequest"];
                output: {
                    "application/json": components["schemas"]["UpdateWebhookResponse"];
                };
            };
            /** @description Removes a webhook and its secrets. `DELETE /api/v1/webhooks/{id}` */
            deleteWebhook: {
                input: {
                    /** @description The `_id` of the webhook. */
                    id: string;
                };
                output: {
                    "application/json": components["schemas"]["DeleteWebhookResponse"];
                };
            };
            /** @description Gives a webhook a new signing secret. `POST /api/v1/webhooks/{id}/rotate` */
            rotateWebhookSecret: {
                input: {
                    /** @description The `_id` of the webhook. */
                    id: string;
                };
                output: {
                    "application/json": components["schemas"]["RotateWebhookSecretResponse"];
                };
            };
            /** @description Sends a test event to a webhook. `POST /api/v1/webhooks/{id}/test` */
            testWebhook: {
                input: {
                    /** @description The `_id` of the webhook. */
                    id: string;
                };
                output: {
                    "application/json": components["schemas"]["TestWebhookResponse"];
                };
            };
            /** @description Lists the deliveries to a webhook, newest event first. `GET /api/v1/webhooks/{id}/deliveries` */
            listDeliveries: {
                input: {
                    /** @description The `_id` of the webhook. */
                    id: string;
                    /** @description The most deliveries of the page, 20 by default. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                    /** @enum {string} */
                    status?: "pending" | "succeeded" | "failed";
                };
                output: {
                    "application/json": components["schemas"]["ListDeliveriesResponse"];
                };
            };
            /** @description Attempts a delivery again. `POST /api/v1/deliveries/{id}/retry` */
            retryDelivery: {
                input: {
                    /** @description The `_id` of the delivery. */
                    id: string;
                };
                output: {
                    "application/json": components["schemas"]["RetryDeliveryResponse"];
                };
            };
            /** @description Lists the events of the application, oldest first. `GET /api/v1/events` */
            listEvents: {
                input: {
                    /** @description A type of event, a pattern such as `subscription.*`, or `*`. */
                    type?: string;
                    /** @description The `nextCursor` of an earlier page, or the id of an event. By default the page starts with the oldest event. */
                    after?: string;
                    /** @description The most events of the page, 50 by default. */
                    limit?: number;
                };
                output: {
                    "application/json": components["schemas"]["ListEventsResponse"];
                };
            };
            /** @description Retrieves an event. `GET /api/v1/events/{id}` */
            getEvent: {
                input: {
                    id: string;
                };
                output: {
                    "application/json": components["schemas"]["GetEventResponse"];
                };
            };
            /** @description Creates an application with a client secret and an API key, which are shown only once. `POST /api/operator/applications` */
            createApplication: {
                input: components["schemas"]["CreateApplicationRequest"];
                output: {
                    "application/json": components["schemas"]["CreateApplicationResponse"];
                };
            };
            /** @description Lists the applications, newest first. `GET /api/operator/applications` */
            listApplications: {
                input: {
                    /** @description The first day or time, by the creation. Days are those of UTC. */
                    from?: string;
                    /** @description The last day, which is included; or a time, which is not. By the creation. */
                    to?: string;
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListApplicationsResponse"];
                    "text/csv": string;
                };
            };
            /** @description Retrieves an application with the first characters of its keys, and when each was used last. `GET /api/operator/applications/{id}` */
            getApplication: {
                input: {
                    /** @description The `_id` of the application. */
                    id: string;
                };
                output: {
                    "application/json": components["schemas"]["GetApplicationResponse"];
                };
            };
            /** @description Replaces the name or the redirect URIs of an application, or merges its settings. `PUT /api/operator/applications/{id}` */
            updateApplication: {
                input: {
                    /** @description The `_id` of the application. */
                    id: string;
                } & components["schemas"]["UpdateApplicationRequest"];
                output: {
                    "application/json": components["schemas"]["UpdateApplicationResponse"];
                };
            };
            /** @description Creates another key of an application, which is shown only once. `POST /api/operator/applications/{id}/keys` */
            createApplicationKey: {
                input: {
                    /** @description The `_id` of the application. */
                    id: string;
                } & components["schemas"]["CreateApplicationKeyRequest"];
                output: {
                    "application/json": components["schemas"]["CreateApplicationKeyResponse"];
                };
            };
            /** @description Revokes a key of an application. It stops working within 30 seconds. `DELETE /api/operator/applications/{id}/keys/{keyId}` */
            revokeApplicationKey: {
                input: {
                    /** @description The `_id` of the application. */
                    id: string;
                    /** @description The `keyId` of the key. */
                    keyId: string;
                };
                output: {
                    "application/json": components["schemas"]["RevokeApplicationKeyResponse"];
                };
            };
            /** @description Creates or replaces a user. `PUT /api/operator/users/{userId}` */
            upsertUser: {
                input: {
                    /** @description Identifies the user. Opaque. */
                    userId: string;
                } & components["schemas"]["UpsertUserRequest"];
                output: {
                    "application/json": components["schemas"]["UpsertUserResponse"];
                };
            };
            /** @description Retrieves a user. `GET /api/operator/users/{userId}` */
            getUser: {
                input: {
                    /** @description Identifies the user. Opaque. */
                    userId: string;
                };
                output: {
                    "application/json": components["schemas"]["GetUserResponse"];
                };
            };
            /** @description Lists the users whom an operator entered, newest first. `GET /api/operator/users` */
            listUsers: {
                input: {
                    /** @description The first day or time, by the creation. Days are those of UTC. */
                    from?: string;
                    /** @description The last day, which is included; or a time, which is not. By the creation. */
                    to?: string;
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListUsersResponse"];
                    "text/csv": string;
                };
            };
            /** @description Ends a user's devices, the proof of their master password, or their vault. `POST /api/operator/users/{userId}/reset` */
            resetUser: {
                input: {
                    /** @description Identifies the user. Opaque. */
                    userId: string;
                } & components["schemas"]["ResetUserRequest"];
                output: {
                    "application/json": components["schemas"]["ResetUserResponse"];
                };
            };
            /** @description Lists the changes of a user that operators made, and the grants that the user withdrew, the latest first. `GET /api/operator/users/{userId}/history` */
            listUserHistory: {
                input: {
                    /** @description Identifies the user. Opaque. */
                    userId: string;
                    /** @description The maximum number of entries; 50 by default. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListUserHistoryResponse"];
                };
            };
            /** @description Mails a user a link by which they get sign-in codes whatever strangers do. `POST /api/operator/users/{userId}/enrolment-link` */
            sendEnrolmentLink: {
                input: {
                    /** @description Identifies the user. Opaque. */
                    userId: string;
                };
                output: {
                    "application/json": components["schemas"]["SendEnrolmentLinkResponse"];
                };
            };
            /** @description Creates or replaces a user's account on a platform. `PUT /api/operator/users/{userId}/social-accounts/{platform}` */
            upsertSocialAccount: {
                input: {
                    /** @description Identifies the user. Opaque. */
                    userId: string;
                    /** @description Compared regardless of case. */
                    platform: string;
                } & components["schemas"]["UpsertSocialAccountRequest"];
                output: {
                    "application/json": components["schemas"]["UpsertSocialAccountResponse"];
                };
            };
            /** @description Lists the applications to which a user granted access, the newest grant first. `GET /api/operator/users/{userId}/grants` */
            listGrants: {
                input: {
                    /** @description Identifies the user. Opaque. */
                    userId: string;
                    /** @description The maximum number of grants; 50 by default. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListGrantsResponse"];
                };
            };
            /** @description Revokes a grant of a user. Its tokens stop working within 30 seconds. `DELETE /api/operator/users/{userId}/grants/{id}` */
            revokeGrant: {
                input: {
                    /** @description Identifies the user. Opaque. */
                    userId: string;
                    /** @description The `id` of the grant. */
                    id: string;
                };
                output: {
                    "application/json": components["schemas"]["RevokeGrantResponse"];
                };
            };
            /** @description Creates an operator key for a person, which is shown only once. `POST /api/operator/keys` */
            createOperatorKey: {
                input: components["schemas"]["CreateOperatorKeyRequest"];
                output: {
                    "application/json": components["schemas"]["CreateOperatorKeyResponse"];
                };
            };
            /** @description Lists the operator keys that have neither expired nor been revoked, oldest first. `GET /api/operator/keys` */
            listOperatorKeys: {
                input: Record<string, never>;
                output: {
                    "application/json": components["schemas"]["ListOperatorKeysResponse"];
                };
            };
            /** @description Revokes an operator key. It stops working within 30 seconds. `DELETE /api/operator/keys/{keyId}` */
            revokeOperatorKey: {
                input: {
                    /** @description The `keyId` of the operator key. */
                    keyId: string;
                };
                output: {
                    "application/json": components["schemas"]["RevokeOperatorKeyResponse"];
                };
            };
            /** @description Lists everything that operators changed, newest first. `GET /api/operator/audit` */
            listActions: {
                input: {
                    /** @description The first day or time, by the time of the action. Days are those of UTC. */
                    from?: string;
                    /** @description The last day, which is included; or a time, which is not. By the time of the action. */
                    to?: string;
                    /** @description Only actions with this operator key. */
                    keyId?: string;
                    /** @description Only actions on the object with this id. */
                    objectId?: string;
                    /** @description Only actions on this application and on its objects. */
                    applicationId?: string;
                    /**
                     * @description Only this action.
                     * @enum {string}
                     */
                    action?: "application.created" | "application.changed" | "application.key_created" | "application.key_revoked" | "bank_statement.confirmed" | "bank_statement.uploaded" | "client.credit_paid_out" | "delivery.retried" | "invoice.credited" | "link.rejected" | "link.verified" | "link.decision_withdrawn" | "mail.given_up" | "mail.redriven" | "operator_key.created" | "operator_key.revoked" | "payment.applied" | "payment.reallocated" | "payment.recorded" | "payment.returned" | "payment.reversed" | "plan.changed" | "plan.created" | "subscription.billing_link_replaced" | "subscription.billing_link_sent" | "subscription.changed" | "user.created" | "user.email_changed" | "user.enrolment_link_created" | "user.grant_withdrawn" | "user.name_changed" | "user.reset" | "user.social_account_changed" | "user.status_changed" | "user.verified_changed" | "webhook.changed" | "webhook.created" | "webhook.removed" | "webhook.secret_rotated" | "webhook.tested";
                    /** @description The maximum number of items. Default: 100. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListActionsResponse"];
                    "text/csv": string;
                };
            };
            /** @description Lists the changes that operators made to an application, a subscription or an operator key, newest first. `GET /api/operator/audit/{id}` */
            listAuditRecords: {
                input: {
                    /** @description The `_id` of an application or a subscription, or the `keyId` of an operator key. */
                    id: string;
                    /** @description The maximum number of entries; 50 by default. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListAuditRecordsResponse"];
                };
            };
            /** @description Lists the mails about subscriptions that were given up, or that are held until the next day. `GET /api/operator/mails` */
            listMails: {
                input: {
                    /** @description The maximum number of mails, 1 to 100; 50 by default. */
                    limit?: number;
                    /**
                     * @description `given_up` by default: mails that are not tried again. `held`: mails that wait for the next day, because a quota of the day is used up.
                     * @enum {string}
                     */
                    status?: "given_up" | "held";
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListMailsResponse"];
                };
            };
            /** @description Ends the tries of a mail that is tried again or held. `POST /api/operator/mails/{mailId}/give-up` */
            giveUpMail: {
                input: {
                    /** @description The `_id` of the list, percent-encoded. */
                    mailId: string;
                };
                output: {
                    "application/json": components["schemas"]["GiveUpMailResponse"];
                };
            };
            /** @description Sends a given-up mail again. `POST /api/operator/mails/{mailId}/redrive` */
            redriveMail: {
                input: {
                    /** @description The `_id` of the list, percent-encoded. */
                    mailId: string;
                };
                output: {
                    "application/json": components["schemas"]["RedriveMailResponse"];
                };
            };
            /** @description Sends given-up mails again, up to 500, the longest given up first. `POST /api/operator/mails/redrive` */
            redriveMails: {
                input: Record<string, never>;
                output: {
                    "application/json": components["schemas"]["RedriveMailsResponse"];
                };
            };
            /** @description Lists the mails about a subscription, newest first. `GET /api/operator/subscriptions/{id}/mails` */
            listSubscriptionMails: {
                input: {
                    id: string;
                    /** @description The maximum number of mails, 1 to 100; 50 by default. */
                    limit?: number;
                    /** @description The `nextCursor` of the previous page. All other parameters must stay the same. */
                    cursor?: string;
                };
                output: {
                    "application/json": components["schemas"]["ListSubscriptionMailsResponse"];
                };
            };
            /** @description Finds the records that an id, a number or an address names. `GET /api/operator/search` */
            searchRecords: {
                input: {
                    /** @description An id of any kind, a reference number, the number of an invoice or a credit note, the address of a user or a client, the external id of a client or a payment. Leading and trailing spaces are ignored. */
                    q: string;
                    /** @description Only records of this application, and those of none, such as users. Payments, bank statements, plans and webhooks are found with it alone, and clients by your id of them. */
                    applicationId?: string;
                };
                output: {
                    "application/json": components["schemas"]["SearchRecordsResponse"];
                };
            };
            /** @description Returns the home page, or its links as JSON, depending on `Accept`. `GET /` */
            getHome: {
                input: Record<string, never>;
                output: {
                    "application/json": components["schemas"]["GetHomeResponse"];
                    "text/html": string;
                };
            };
            /** @description Returns this document, the API as OpenAPI 3.1. `GET /openapi.json` */
            getOpenApiDocument: {
                input: Record<string, never>;
                output: {
                    "application/json": components["schemas"]["GetOpenApiDocumentResponse"];
                };
            };
        };
    };
}
/** The lists that pages of operations have. */
export interface lists {
    listLinks: "trustLinks";
    listReviews: "reviews";
    getReview: "history";
    listDecisions: "reviews";
    listUserLinks: "trustLinks";
    listPlans: "plans";
    listClients: "clients";
    listSubscriptions: "subscriptions";
    listInvoices: "invoices";
    listCreditNotes: "creditNotes";
    listPayments: "payments";
    listBankStatements: "statements";
    getBankStatement: "entries";
    listJournalRecords: "records";
    getAccountStatement: "lines";
    listDeliveries: "deliveries";
    listEvents: "events";
    listApplications: "applications";
    listUsers: "users";
    listUserHistory: "history";
    listGrants: "grants";
    listActions: "actions";
    listAuditRecords: "history";
    listMails: "mails";
    listSubscriptionMails: "mails";
}
/** The codes of documented errors. */
export type DocumentedErrorCode =
    | "checkout_unavailable"
    | "conflict"
    | "forbidden"
    | "idempotency_in_progress"
    | "idempotency_mismatch"
    | "insufficient_scope"
    | "invalid_client"
    | "invalid_grant"
    | "invalid_request"
    | "invalid_scope"
    | "invalid_token"
    | "invalid_transition"
    | "limit_exceeded"
    | "method_not_allowed"
    | "not_found"
    | "payload_too_large"
    | "rate_limited"
    | "server_error"
    | "temporarily_unavailable"
    | "unauthorized_client"
    | "unsupported_grant_type"
    | "user_not_verified"
;
