// The one name of geotiff that is used. Imported here and not where it is loaded, so that a bundler can leave the rest of geotiff out.

export { getDecoder } from 'geotiff'
