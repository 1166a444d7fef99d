#pragma once

#include <libpq-fe.h>

#include "schema/libraries/library.hpp"

/// The functions of libpq that reports/engine/server calls. See schema/libraries/library.hpp.
namespace cacheledger {

inline constexpr Library libpq{CACHELEDGER_LIBPQ, "PostgreSQL servers are asked with it"};

CACHELEDGER_ON_DEMAND(libpq, PQcancel);
CACHELEDGER_ON_DEMAND(libpq, PQclear);
CACHELEDGER_ON_DEMAND(libpq, PQcmdTuples);
CACHELEDGER_ON_DEMAND(libpq, PQconnectdbParams);
CACHELEDGER_ON_DEMAND(libpq, PQconninfoFree);
CACHELEDGER_ON_DEMAND(libpq, PQconninfoParse);
CACHELEDGER_ON_DEMAND(libpq, PQconsumeInput);
CACHELEDGER_ON_DEMAND(libpq, PQerrorMessage);
CACHELEDGER_ON_DEMAND(libpq, PQfinish);
CACHELEDGER_ON_DEMAND(libpq, PQflush);
CACHELEDGER_ON_DEMAND(libpq, PQfname);
CACHELEDGER_ON_DEMAND(libpq, PQfreeCancel);
CACHELEDGER_ON_DEMAND(libpq, PQfreemem);
CACHELEDGER_ON_DEMAND(libpq, PQftype);
CACHELEDGER_ON_DEMAND(libpq, PQgetCancel);
CACHELEDGER_ON_DEMAND(libpq, PQgetCopyData);
CACHELEDGER_ON_DEMAND(libpq, PQgetResult);
CACHELEDGER_ON_DEMAND(libpq, PQgetisnull);
CACHELEDGER_ON_DEMAND(libpq, PQgetlength);
CACHELEDGER_ON_DEMAND(libpq, PQgetvalue);
CACHELEDGER_ON_DEMAND(libpq, PQisBusy);
CACHELEDGER_ON_DEMAND(libpq, PQlibVersion);
CACHELEDGER_ON_DEMAND(libpq, PQnfields);
CACHELEDGER_ON_DEMAND(libpq, PQntuples);
CACHELEDGER_ON_DEMAND(libpq, PQputCopyData);
CACHELEDGER_ON_DEMAND(libpq, PQputCopyEnd);
CACHELEDGER_ON_DEMAND(libpq, PQresultErrorField);
CACHELEDGER_ON_DEMAND(libpq, PQresultStatus);
CACHELEDGER_ON_DEMAND(libpq, PQsendQuery);
CACHELEDGER_ON_DEMAND(libpq, PQsendQueryParams);
CACHELEDGER_ON_DEMAND(libpq, PQserverVersion);
CACHELEDGER_ON_DEMAND(libpq, PQsetNoticeProcessor);
CACHELEDGER_ON_DEMAND(libpq, PQsetSingleRowMode);
CACHELEDGER_ON_DEMAND(libpq, PQsetnonblocking);
CACHELEDGER_ON_DEMAND(libpq, PQsocket);
CACHELEDGER_ON_DEMAND(libpq, PQstatus);

}  // namespace cacheledger
