// The zone of the machine, from the environment.

/** `+0000` unless `TZ` names a zone. */
export function localZone(zone: string | undefined, time: number): string {
  if (zone === undefined || zone === '' || /^utc|^gmt$/i.test(zone)) return '+0000'
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone.replace(/^:/, ''),
      timeZoneName: 'longOffset',
    }).formatToParts(time * 1000)
    const [, sign = '+', hours = '00', minutes = '00'] =
      /([+-])(\d\d):?(\d\d)/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? []
    return `${sign}${hours}${minutes}`
  } catch {
    // An unknown zone is UTC, as in the C library.
    return '+0000'
  }
}
