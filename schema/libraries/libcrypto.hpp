#pragma once

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "schema/libraries/library.hpp"

/// The functions of libcrypto that the program calls. See schema/libraries/library.hpp.
namespace cacheledger {

inline constexpr Library libcrypto{CACHELEDGER_LIBCRYPTO, "digests are made with it"};

CACHELEDGER_ON_DEMAND(libcrypto, EVP_Digest);
CACHELEDGER_ON_DEMAND(libcrypto, EVP_DigestFinal_ex);
CACHELEDGER_ON_DEMAND(libcrypto, EVP_DigestInit_ex);
CACHELEDGER_ON_DEMAND(libcrypto, EVP_DigestUpdate);
CACHELEDGER_ON_DEMAND(libcrypto, EVP_EncodeBlock);
CACHELEDGER_ON_DEMAND(libcrypto, EVP_MD_CTX_free);
CACHELEDGER_ON_DEMAND(libcrypto, EVP_MD_CTX_new);
CACHELEDGER_ON_DEMAND(libcrypto, EVP_MD_fetch);
CACHELEDGER_ON_DEMAND(libcrypto, EVP_MD_free);
CACHELEDGER_ON_DEMAND(libcrypto, EVP_sha256);
CACHELEDGER_ON_DEMAND(libcrypto, OpenSSL_version);

}  // namespace cacheledger
