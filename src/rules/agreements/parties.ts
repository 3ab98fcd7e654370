// The two parties of an investment agreement, as far as its wording names them.

export type AgreementParties = {
  readonly provider: {
    readonly productName: string;
    readonly legalName: string;
    readonly licenceNumber: string;
    readonly contactEmail: string;
  };
  readonly client: {
    readonly name: string;
    readonly email: string;
    readonly countryName: string;
  };
};
