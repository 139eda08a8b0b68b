/** Values made of the latest object, by form: all watches receive an event in the same turn, and share them. */
export class Latest<Value> {
  private object: object | undefined;
  private readonly values = new Map<string, Value>();

  get(object: object, form: string, make: () => Value): Value {
    if (this.object !== object) this.values.clear();
    this.object = object;
    let value = this.values.get(form);
    if (value === undefined) this.values.set(form, (value = make()));
    return value;
  }
}
