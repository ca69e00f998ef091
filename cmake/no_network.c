/* Debian's static HDF5 holds a driver for files in S3, which wants curl and OpenSSL. The program opens files of the disk only: these
   stand in for both in the static program, and the driver, which nobody asks for, would find that nothing can be initialised. */
#include <stddef.h>

int curl_global_init(long flags) { (void)flags; return 2; /* CURLE_FAILED_INIT */ }
void curl_global_cleanup(void) {}
void* curl_easy_init(void) { return NULL; }
void curl_easy_cleanup(void* handle) { (void)handle; }
int curl_easy_perform(void* handle) { (void)handle; return 2; }
int curl_easy_setopt(void* handle, int option, ...) { (void)handle; (void)option; return 2; }
void* curl_slist_append(void* list, const char* text) { (void)list; (void)text; return NULL; }
void curl_slist_free_all(void* list) { (void)list; }
const void* EVP_sha256(void) { return NULL; }
unsigned char* HMAC(const void* type, const void* key, int key_size, const unsigned char* data, size_t size, unsigned char* digest, unsigned* digest_size) {
  (void)type; (void)key; (void)key_size; (void)data; (void)size; (void)digest; (void)digest_size;
  return NULL;
}
unsigned char* SHA256(const unsigned char* data, size_t size, unsigned char* digest) { (void)data; (void)size; (void)digest; return NULL; }
