// An error with the key and the arguments of its translation.

export class CodedError extends Error {
  /** `code` is the key of the translation, the other fields fill the sentence.
   *  @param {{ code: string, message?: string, [arg: string]: unknown }} fault */
  constructor(fault) {
    const { code, message, ...args } = fault;
    super(message ?? code);
    this.fault = fault;
    this.code = code;
    /** @type {Record<string, any>} */
    this.args = { ...args, detail: message };
  }
}

/** Returns an error with the place at which it occurred. @param {any} error @param {Record<string, unknown>} place */
export const located = (error, place) =>
  new CodedError({ code: 'other', message: String(error?.message ?? error), ...error?.fault, ...place });
